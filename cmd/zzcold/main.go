package main
import ("fmt";"os";"time";"context";"toolplane/adapters/extismbox";"toolplane/domain/run";"toolplane/domain/limit";"runtime";"strings";"runtime/debug")
type b struct{}
func (b) Call(ctx context.Context,c run.Call)(run.Answer,error){return run.Answer{},nil}
func (b) Print(run.Stream,[]byte) error {return nil}
func rss() string { d,_:=os.ReadFile("/proc/self/status"); for _,l:=range strings.Split(string(d),"\n"){ if strings.HasPrefix(l,"VmRSS")||strings.HasPrefix(l,"RssAnon"){fmt.Print(" ",strings.Join(strings.Fields(l)," "))}}; return ""}
func main(){
 t0:=time.Now()
 s,err:=extismbox.New(extismbox.Options{Dir:os.Args[1]})
 if err!=nil{panic(err)}
 r,err:=s.Run(context.Background(),run.Job{Code:"return 1+1",Limits:limit.Defaults().Run},b{})
 fmt.Println(time.Since(t0),string(r.Value.Bytes()),err,r.Failure)
 if len(os.Args)>2 { rss(); fmt.Println(); runtime.GC(); rss(); fmt.Println(); debug.FreeOSMemory(); rss(); fmt.Println();
  var m runtime.MemStats; runtime.ReadMemStats(&m); fmt.Println("heap",m.HeapAlloc>>10,"KB sys",m.HeapSys>>10, m.HeapReleased>>10)
 }
 if len(os.Args)>2 { d,_:=os.ReadFile("/proc/self/smaps"); os.WriteFile("/tmp/ebx/smaps",d,0o600)}; s.Close()
}
