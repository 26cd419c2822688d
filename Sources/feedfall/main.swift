print("feedfall")
