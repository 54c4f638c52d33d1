package main

// Time zones are built in, so that timezone => 'Asia/Kathmandu' works on machines without a zone database.
import _ "time/tzdata"
