// Package reader is the program under test: it reads gpsd, and connects again when the daemon has died.
package reader

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"time"
)

// Report is a report of gpsd.
type Report struct {
	Class string
	Mode  int
	Time  string
}

// Follow sends each position report to the channel, over any number of connections.
func Follow(address string, reports chan<- Report) {
	for {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		fmt.Fprintln(connection, `?WATCH={"enable":true,"json":true};`)
		lines := bufio.NewScanner(connection)
		for lines.Scan() {
			var report Report
			// A line that was cut is skipped.
			if json.Unmarshal(lines.Bytes(), &report) == nil && report.Class == "TPV" {
				reports <- report
			}
		}
		connection.Close()
	}
}
