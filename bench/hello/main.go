// Command hello is the smallest Go program: the floor of every start.
package main

import "fmt"

func main() { fmt.Println("hello") }
