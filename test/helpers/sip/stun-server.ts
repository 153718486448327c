import { createSocket } from 'node:dgram';

/** Test program: answers STUN binding requests (RFC 8489) on the address and port of its arguments. */
const [address = '127.0.0.1', port = '3478'] = process.argv.slice(2);
const MAGIC_COOKIE = 0x2112a442;
const server = createSocket('udp4');
server.on('message', (request, from) => {
  if (request.length < 20 || request.readUInt16BE(0) !== 0x0001) return;
  const response = Buffer.alloc(32);
  request.copy(response, 0, 0, 20);
  response.writeUInt16BE(0x0101, 0);
  response.writeUInt16BE(12, 2);
  response.writeUInt32BE(0x0020_0008, 20);
  response.writeUInt16BE(0x0001, 24);
  response.writeUInt16BE(from.port ^ (MAGIC_COOKIE >>> 16), 26);
  const mapped = from.address.split('.').reduce((all, part) => all * 256 + Number(part), 0);
  response.writeUInt32BE((mapped ^ MAGIC_COOKIE) >>> 0, 28);
  server.send(response, from.port, from.address);
});
server.bind(Number(port), address, () => process.stdout.write('listening\n'));
