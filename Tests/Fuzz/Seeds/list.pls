[playlist]
NumberOfEntries=2
File1=http://a.example/1.mp4
Title1=One
Length1=61
File2=rtsp://a.example/2
Length2=-1
