import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';

const PORT = 3478;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const MAGIC_COOKIE = 0x2112a442;
const MAPPED_ADDRESS = 0x0001;
const XOR_MAPPED_ADDRESS = 0x0020;
const FAMILY_IPV4 = 1;
const HEADER_BYTES = 20;
/** Retransmission interval (RFC 8489 section 6.2.1, constant instead of doubling). */
const RETRANSMIT_MS = 500;

/** A binding request (RFC 8489 section 5). */
function bindingRequest(transaction: Buffer): Buffer {
  const request = Buffer.alloc(HEADER_BYTES);
  request.writeUInt16BE(BINDING_REQUEST, 0);
  request.writeUInt32BE(MAGIC_COOKIE, 4);
  transaction.copy(request, 8);
  return request;
}

/** The IPv4 address in the success response of a transaction; null for any other message. */
export function mappedAddress(message: Buffer, transaction: Buffer): string | null {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== BINDING_SUCCESS) return null;
  if (message.readUInt32BE(4) !== MAGIC_COOKIE || !message.subarray(8, 20).equals(transaction)) return null;
  let plain: string | null = null;
  for (let at = HEADER_BYTES; at + 4 <= message.length;) {
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)];
    const value = message.subarray(at + 4, at + 4 + length);
    if (value.length >= 8 && value[1] === FAMILY_IPV4) {
      const address = value.readUInt32BE(4);
      if (type === XOR_MAPPED_ADDRESS) return dotted((address ^ MAGIC_COOKIE) >>> 0);
      if (type === MAPPED_ADDRESS) plain = dotted(address);
    }
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return plain;
}

const dotted = (address: number): string => [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');

/** Asks the STUN server `stun:host[:port]` for our public IPv4 address. Rejects without a response in time. */
export async function stunAddress(uri: string, timeoutMs = 5_000): Promise<string> {
  const match = /^stun:(.+?)(?::(\d+))?$/i.exec(uri);
  const port = Number(match?.[2] ?? PORT);
  const { address } = await lookup(match?.[1] ?? '', { family: 4 });
  const transaction = randomBytes(12);
  const socket = createSocket('udp4');
  let timers: (() => void)[] = [];
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (message) => {
        const mapped = mappedAddress(message, transaction);
        if (mapped !== null) resolve(mapped);
      });
      const send = (): void => socket.send(bindingRequest(transaction), port, address);
      const repeat = setInterval(send, RETRANSMIT_MS);
      const limit = setTimeout(() => reject(new Error(`no response from ${uri}`)), timeoutMs);
      timers = [() => clearInterval(repeat), () => clearTimeout(limit)];
      send();
    });
  } finally {
    for (const clear of timers) clear();
    socket.close();
  }
}
