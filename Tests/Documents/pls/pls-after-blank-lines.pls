 
[Playlist]
NumberOfEntries=3
Title2=Two
File1=http://a.example/1.mp4?a=b
File2=two.mp4
Length2=61
Length1=-1
File10=rtsp://a.example/x
