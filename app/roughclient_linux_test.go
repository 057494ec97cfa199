package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// roughConns is how many connections one rough client keeps.
const roughConns = 64

// A roughClient is a process that claims over many connections at once and breaks
// them off at any moment. It says what it was granted, a line each, and is killed at
// some point itself.
type roughClient struct {
	host, token, name string
	say               func(format string, args ...any)
}

// roughWorker runs a rough client until its process is killed, or in ends.
func roughWorker(in io.Reader, out io.Writer) int {
	var mu sync.Mutex
	c := &roughClient{
		host: strings.TrimPrefix(os.Getenv("DEDUPE_TEST_API"), "http://"), token: os.Getenv("DEDUPE_TEST_TOKEN"), name: os.Getenv("DEDUPE_TEST_NAME"),
		say: func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			_, _ = fmt.Fprintf(out, format+"\n", args...)
		},
	}
	seed, err := strconv.ParseUint(os.Getenv("DEDUPE_TEST_SEED"), 10, 64)
	if err != nil {
		return 2
	}
	for n := range roughConns {
		go c.caller(n, rand.New(rand.NewPCG(seed, uint64(n))))
	}
	_, _ = io.Copy(io.Discard, in)
	return 0
}

func (c *roughClient) caller(n int, chance *rand.Rand) {
	for i := 0; ; i++ {
		conn, err := net.Dial("tcp", c.host)
		if err != nil {
			c.say("FAULT dial: %v", err)
			return
		}
		line := &roughLine{roughClient: c, conn: conn, r: bufio.NewReader(conn), chance: chance, name: fmt.Sprintf("%s-%d-%d", c.name, n, i)}
		for calls := 0; line.call(calls); calls++ {
			time.Sleep(time.Duration(chance.IntN(400)) * time.Millisecond)
		}
		_ = conn.Close()
	}
}

// A roughLine is one connection of a rough client.
type roughLine struct {
	*roughClient
	conn   net.Conn
	r      *bufio.Reader
	chance *rand.Rand
	name   string
}

// call makes one call, or breaks the connection off, which is when it returns false.
func (l *roughLine) call(n int) bool {
	key := fmt.Sprintf("%s-%d", l.name, n)
	if l.chance.IntN(3) == 0 {
		key = fmt.Sprintf("shared-%d", l.chance.IntN(100))
	}
	request := l.request("/v1/claim", fmt.Sprintf(`{"key":%q,"owner":%q,"lease":5}`, key, fmt.Sprintf("%s-%d", l.name, n)))
	if l.chance.IntN(12) == 0 {
		l.breakOff(request)
		return false
	}
	a, ok := l.send(request)
	if !ok || !a.Run {
		return ok
	}
	l.say("GRANT %s %d", key, a.Fence)
	report := fmt.Sprintf(`{"key":%q,"token":%q}`, key, a.Token)
	switch l.chance.IntN(5) {
	case 0, 1:
		_, ok = l.send(l.request("/v1/done", report))
	case 2:
		_, ok = l.send(l.request("/v1/release", report))
	case 3:
		_, ok = l.send(l.request("/v1/renew", fmt.Sprintf(`{"key":%q,"token":%q,"lease":5}`, key, a.Token)))
	}
	return ok
}

func (l *roughLine) request(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nX-Api-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, l.host, l.token, len(body), body)
}

// breakOff ends the connection in the header, in the body, before the answer or in it,
// politely or by a reset, or leaves it open with half a request for a while.
func (l *roughLine) breakOff(request string) {
	upTo := 1 + l.chance.IntN(len(request))
	if l.chance.IntN(3) == 0 {
		upTo = len(request)
	}
	_, _ = io.WriteString(l.conn, request[:upTo])
	switch l.chance.IntN(4) {
	case 0:
		if tcp, ok := l.conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	case 1:
		time.Sleep(time.Duration(l.chance.IntN(3000)) * time.Millisecond)
	case 2:
		_, _ = l.r.ReadByte()
	}
}

// send sends a whole request and reads its answer. ok is false where none came.
func (l *roughLine) send(request string) (a told, ok bool) {
	if err := l.conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return a, false
	}
	if _, err := io.WriteString(l.conn, request); err != nil {
		l.say("FAULT send: %v", err)
		return a, false
	}
	resp, err := http.ReadResponse(l.r, nil)
	if err != nil {
		l.say("FAULT answer: %v", err)
		return a, false
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil || a.Run != (a.Status == "claimed" && a.Token != "") || (resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusConflict) {
		l.say("FAULT %d %q %v", resp.StatusCode, raw, err)
		return a, false
	}
	return a, true
}
