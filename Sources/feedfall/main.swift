import FeedfallProgram

Feedfall.main()
