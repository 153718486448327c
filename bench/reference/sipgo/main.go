// A user agent server on sipgo that answers each call with 100, 180 and 200, and its BYE: the reference of bench/sip.ts.
package main

import (
	"context"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

const host = "127.0.0.1"
const port = 25060

var sdp = []byte("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n" +
	"m=audio 40000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n")

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	agent, err := sipgo.NewUA()
	if err != nil {
		log.Fatal(err)
	}
	server, err := sipgo.NewServer(agent)
	if err != nil {
		log.Fatal(err)
	}
	client, err := sipgo.NewClient(agent)
	if err != nil {
		log.Fatal(err)
	}
	contact := sip.ContactHeader{Address: sip.Uri{User: "uas", Host: host, Port: port}}
	dialogs := sipgo.NewDialogServerCache(client, contact)
	server.OnInvite(func(request *sip.Request, transaction sip.ServerTransaction) {
		dialog, err := dialogs.ReadInvite(request, transaction)
		if err != nil {
			return
		}
		dialog.Respond(sip.StatusTrying, "Trying", nil)
		dialog.Respond(sip.StatusRinging, "Ringing", nil)
		dialog.RespondSDP(sdp)
		<-transaction.Done()
	})
	server.OnAck(func(request *sip.Request, transaction sip.ServerTransaction) { dialogs.ReadAck(request, transaction) })
	server.OnBye(func(request *sip.Request, transaction sip.ServerTransaction) { dialogs.ReadBye(request, transaction) })
	ends, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server.ListenAndServe(ends, "udp", "127.0.0.1:25060")
}
