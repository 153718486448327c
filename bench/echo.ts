import { createOfflineTts } from '../src/offline/speech/tts.ts';
import { dbfs } from '@callwright/audio';
import { createEchoGuard, isEcho, sentFrame } from '@callwright/turns';
import { echoTrials } from '../test/rigs/calls/echo-trials.ts';
import { roomSpeech } from '../test/rigs/calls/room-speech.ts';

/**
 * A hundred calls with an echo of -12 to -30 dB after 20 to 250 ms, and the same with a caller who interrupts; then the
 * processor time of the echo guard per frame. Must hold: no self-interruption, no missed interruption.
 */
const COUNT = 100;
/** Keeps the process alive while the speech engine runs. */
const alive = setInterval(() => undefined, 1_000);
const tts = createOfflineTts();
const speech = await roomSpeech(tts);
const trials = await echoTrials(speech, COUNT);
const selves = trials.filter(({ self }) => self.interruptions > 0 || self.heard.length > 0);
const missed = trials.filter(({ real }) => real.interruptions !== 1);
console.log(`self-interruptions: ${selves.length} of ${COUNT} (must be 0)`);
console.log(`missed interruptions: ${missed.length} of ${COUNT} (must be 0)`);

function cost(name: string, heardOf: (frame: number) => Int16Array): void {
  const guard = createEchoGuard(8000);
  const frames = Math.floor(speech.agent.length / 160);
  const start = process.cpuUsage().user;
  for (let n = 0; n < frames; n++) {
    const sent = speech.agent.subarray(n * 160, n * 160 + 160);
    sentFrame(guard, sent, dbfs(sent));
    const heard = heardOf(n);
    isEcho(guard, heard, dbfs(heard));
  }
  const micros = (process.cpuUsage().user - start) / frames;
  console.log(
    `${name}: ${micros.toFixed(1)} µs a frame, ${(micros / 200).toFixed(2)} % of a core while the agent speaks`,
  );
}
const quiet = new Int16Array(160);
const echoed = speech.agent.map((sample) => sample / 8);
const [caller = quiet] = speech.callers;
cost('silent caller', () => quiet);
cost('echo', (n) => (n < 6 ? quiet : echoed.subarray((n - 6) * 160, (n - 5) * 160)));
cost('caller talks without a pause', (n) => {
  const from = (n % Math.floor(caller.length / 160)) * 160;
  return caller.subarray(from, from + 160);
});
clearInterval(alive);
await tts.close();
process.exitCode = selves.length + missed.length > 0 ? 1 : 0;
