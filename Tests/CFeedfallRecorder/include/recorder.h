/* Loaded into the program with LD_PRELOAD. Records each change of a file below RECORD_ROOT in RECORD_FILE, one a line, so
   that a test can rebuild the folder as it was after any of them. RECORD_FAULT=NUMBER:ERRNO lets one of the changes fail,
   counted from 0; a write with the error 0 is short, and the next one fails for want of room. */
