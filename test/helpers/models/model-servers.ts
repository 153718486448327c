import { join } from 'node:path';
import { installModelServers } from '../../../scripts/model-servers.ts';
import { defaultModelsDir } from '../../../src/config/models-dir.ts';
import { installedModel } from '../../../src/offline/models/installed.ts';
import { freePort, startProcess, until, type PeerProcess } from '../sip/peer-process.ts';

/** A server with real weights, started from packages. */
export interface ModelServer {
  readonly url: string;
  stop(): Promise<void>;
}

const SERVERS = join(import.meta.dirname, '../../model-servers/servers');
/** Loading a model beside other work. */
const READY_MS = 90_000;

/** Starts a program of the servers' Python environment; `isReady` asks the server itself. */
async function start(
  args: (port: number) => readonly string[],
  isReady: (url: string, process: PeerProcess) => Promise<boolean>,
  folder = installModelServers(),
): Promise<ModelServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const process = startProcess(join(folder, 'bin/python'), args(port), SERVERS);
  let isOver = false;
  void process.exited().then(() => (isOver = true));
  await until(async () => isOver || (await isReady(url, process)), 'the server to be ready', READY_MS);
  if (isOver) throw new Error(`the server ended:\n${process.output().slice(-4000)}`);
  return { url, stop: () => process.stop() };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

/** Vosk small en-US behind the protocol of vosk-server. */
export function startVoskServer(): Promise<ModelServer> {
  const models = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
  const model = installedModel(models, 'vosk-small-en-us');
  if (model === null) throw new Error(`${models} holds no vosk-small-en-us: run callwright models get`);
  return start(
    (port) => ['vosk_server.py', String(port), model.folder],
    (_url, process) => Promise.resolve(process.output().includes('ready')),
  );
}

/** faster-whisper-server with Whisper tiny. */
export function startWhisperServer(): Promise<ModelServer> {
  return start(
    (port) => ['whisper_server.py', String(port)],
    (url) => answers(`${url}/health`),
  );
}

/** The voice of hibari behind OpenAI's speech request. */
export function startVoiceServer(): Promise<ModelServer> {
  return start(
    (port) => ['voice_server.py', String(port)],
    (url) => answers(`${url}/v1/audio/voices`),
  );
}

/** SmolLM2-135M behind the server of llama.cpp's Python package. */
export function startLanguageServer(): Promise<ModelServer> {
  return start(
    (port) => ['language_server.py', String(port)],
    (url) => answers(`${url}/v1/models`),
    installModelServers('language'),
  );
}
