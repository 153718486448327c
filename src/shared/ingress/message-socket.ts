/** A connection that carries messages: a WebSocket, or frames over TCP. */
export interface MessageSocket {
  readonly OPEN: number;
  /** `OPEN`: it takes messages. */
  readonly readyState: number;
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(event: 'ping' | 'pong', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  /** `code`: of a WebSocket's closing handshake; 1006: the connection was cut. */
  on(event: 'close', listener: (code: number) => void): unknown;
  send(message: string | Buffer): void;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}
