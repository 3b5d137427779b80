package main

import "os"

var signalNames = map[string]os.Signal{"KILL": os.Kill}
