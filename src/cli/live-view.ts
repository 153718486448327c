import { moveText } from '../shared/flow-moves.ts';
import type { LiveCallEvent } from '../dialer/live-calls.ts';

/** Text styles of the terminal; `noColours` leaves text unchanged. */
export interface Ink {
  dim(text: string): string;
  bold(text: string): string;
  agent(text: string): string;
  caller(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}
const wrap =
  (code: string) =>
  (text: string): string =>
    `\u001B[${code}m${text}\u001B[0m`;
export const colours: Ink = {
  dim: wrap('2'),
  bold: wrap('1'),
  agent: wrap('36'),
  caller: wrap('33'),
  good: wrap('32'),
  bad: wrap('31'),
};
const plain = (text: string): string => text;
export const noColours: Ink = {
  dim: plain,
  bold: plain,
  agent: plain,
  caller: plain,
  good: plain,
  bad: plain,
};

const clock = (fromMs: number, atMs: number): string => {
  const seconds = Math.max(0, Math.round((atMs - fromMs) / 1000));
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
};

/** The latency of a turn as one bar: `r` recognition, `e` endpointing, `m` model, `v` voice; one letter is 25 ms. */
export function latencyBar(latency: {
  endpointingMs: number;
  recognitionMs: number | null;
  modelMs: number | null;
  voiceMs: number | null;
  totalMs: number;
}): string {
  const cells = (ms: number | null, letter: string): string =>
    letter.repeat(Math.min(40, Math.max(0, Math.round((ms ?? 0) / 25))));
  return (
    cells(latency.recognitionMs, 'r') +
    cells(latency.endpointingMs, 'e') +
    cells(latency.modelMs, 'm') +
    cells(latency.voiceMs, 'v')
  );
}

/** Renders one event as lines of text; `startedAt` is when the call was placed, epoch ms. */
export function renderLive(event: LiveCallEvent, startedAt: number, ink: Ink): string[] {
  const at = (ms: number): string => ink.dim(clock(startedAt, ms));
  switch (event.type) {
    case 'status':
      return [`${at(event.at)} ${ink.bold(event.subStatus.toLowerCase().replaceAll('_', ' '))}`];
    case 'ended':
      return [
        `${at(event.at)} ${ink.bold(`${event.status}: ${event.subStatus}`)}`,
        ...(event.failure == null ? [] : [`        ${ink.bad(event.failure.message)}`]),
      ];
    case 'line': {
      const { line } = event;
      const who = line.role === 'agent' ? ink.agent(' agent') : ink.caller('caller');
      const marks = `${line.by === 'keypad' ? ink.dim(' [keypad]') : ''}${line.interrupted ? ink.bad(' ✂ interrupted') : ''}`;
      return [`${at(line.startedAt)} ${who}  ${line.text}${marks}`];
    }
    case 'latency': {
      const { latency } = event;
      const total =
        latency.totalMs <= 800 ? ink.good(`${latency.totalMs} ms`) : ink.bad(`${latency.totalMs} ms`);
      return [
        `        ${ink.dim(`turn ${latency.turn} ${latencyBar(latency)}`)} ${total}${latency.prepared ? ink.dim(' prepared') : ''}`,
      ];
    }
    case 'interrupted':
      return [`${at(event.at)} ${ink.bad(`caller interrupts; agent silent after ${event.stopMs} ms`)}`];
    case 'dtmf':
      return [`${at(event.at)} ${ink.caller('caller')}  ♪ key ${event.digit}`];
    case 'words':
      return [];
    case 'moved':
      return [`        ${ink.dim(`flow: ${moveText(event)}`)}`];
    case 'notice':
      return [`        ${ink.dim(`${event.code}: ${event.message}`)}`];
    default:
      return event satisfies never;
  }
}
