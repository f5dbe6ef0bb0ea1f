package reader

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// gpsd starts a stand-in, and returns its address and a function that drives it.
func gpsd(t *testing.T, source string) (string, func(words string) string) {
	control := filepath.Join(t.TempDir(), "control")
	server := exec.Command("locwatch", "serve", "-q", "--port", "0", "--print-port", "--pace", "manual",
		"--control", control, source)
	output, _ := server.StdoutPipe()
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Signal(syscall.SIGTERM); server.Wait() })
	port, _ := bufio.NewReader(output).ReadString('\n')
	return "localhost:" + strings.TrimSpace(port), func(words string) string {
		answer, err := exec.Command("locwatch", append([]string{"control", control}, strings.Fields(words)...)...).Output()
		if err != nil {
			t.Fatal(words, string(answer))
		}
		return string(answer)
	}
}

func TestADaemonThatDiesIsReadAgain(t *testing.T) {
	address, drive := gpsd(t, "sim:walk")
	reports := make(chan Report, 100)
	go Follow(address, reports)
	drive("wait clients 1")
	drive("step 2s")
	drive("fault cut")
	drive("step 1s")
	drive("fault restart=5s")
	drive("step 6s")
	// A connection that is lost between two commands is made again.
	for i := 0; i < 3; i++ {
		drive("wait clients 1")
		drive("step 1s")
	}
	for report := range reports {
		if report.Time >= "2026-01-01T00:00:10.000Z" {
			return
		}
	}
}
