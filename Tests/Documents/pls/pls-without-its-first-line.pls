NumberOfEntries=2
File1=https://tv.example/1
Title1=One
Length1=62.5
File2=shows\two.mp3
Length2=0
