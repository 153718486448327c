import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { writeWav } from '@callwright/audio';
import { openChromium } from './open-chromium.ts';

/** A simulated microphone that needs no consent. */
export const FAKE_MICROPHONE: readonly string[] = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

/** Chromium whose microphone plays the audio once, mono at `rate`. */
export async function openWithMicrophone(
  pcm: Int16Array,
  rate: number,
): Promise<{ browser: Browser; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-microphone-'));
  const file = join(folder, 'microphone.wav');
  await writeFile(file, writeWav({ sampleRate: rate, channels: 1 }, pcm));
  const browser = await openChromium(
    [...FAKE_MICROPHONE, `--use-file-for-fake-audio-capture=${file}%noloop`],
    { isWhole: true },
  );
  const close = async (): Promise<void> => {
    await browser.close();
    await rm(folder, { recursive: true });
  };
  return { browser, close };
}

/** A web site of somebody else: pages by path, under a policy that allows the service alone. */
export async function startSite(
  service: string,
  pages: Readonly<Record<string, string>>,
): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = service.replace(/^http/, 'ws');
  const policy = `default-src 'none'; script-src ${service}; connect-src ${service} ${sockets}; frame-src 'self'; base-uri 'none'; form-action 'none'`;
  const server: Server = createServer(({ url = '/' }, response) => {
    const page = pages[url];
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    });
    response.end(
      `<!doctype html><html lang="en"><title>A site</title><main><h1>A site</h1>${page ?? ''}</main></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}

/** Runs in every page and frame: `seen` has the audio at the loudspeaker, the connections and the widget's events. */
const INSTRUMENTS = `
  const seen = { heard: [], rate: 0, sockets: [], events: [] };
  globalThis.seen = seen;
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      seen.rate = this.context.sampleRate;
      const tap = this.context.createScriptProcessor(4096, 1, 1);
      tap.onaudioprocess = (event) => seen.heard.push([...event.inputBuffer.getChannelData(0)]);
      connect.call(this, tap);
      connect.call(tap, target);
    }
    return connect.call(this, target, ...rest);
  };
  const Plain = WebSocket;
  globalThis.WebSocket = class extends Plain {
    constructor(...args) {
      super(...args);
      seen.sockets.push(this);
    }
  };
  for (const type of ['start', 'line', 'end', 'error', 'flush']) {
    addEventListener('call-' + type, ({ detail }) => seen.events.push({ type, detail }));
  }
`;

/** Records the audio that reaches the loudspeaker, the connections and the widget's events of every page and frame. */
export async function instrument(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  await page.addInitScript({ content: INSTRUMENTS });
  return faults;
}

/** The likeness of two sounds: the best normalised correlation of `part` with any stretch of `whole`. */
export function likeness(part: Float32Array, whole: Float32Array): number {
  const energyOf = (from: number): number => {
    let sum = 0;
    for (let n = 0; n < part.length; n++) sum += (whole[from + n] ?? 0) ** 2;
    return sum;
  };
  const own = part.reduce((sum, sample) => sum + sample * sample, 0);
  let best = 0;
  let energy = energyOf(0);
  for (let lag = 0; lag + part.length <= whole.length; lag++) {
    let dot = 0;
    for (let n = 0; n < part.length; n++) dot += (part[n] ?? 0) * (whole[lag + n] ?? 0);
    const likely = energy <= 0 ? 0 : dot / Math.sqrt(own * energy);
    best = Math.max(best, likely);
    energy += (whole[lag + part.length] ?? 0) ** 2 - (whole[lag] ?? 0) ** 2;
  }
  return best;
}
