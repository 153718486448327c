import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { piecesOf } from '../../../src/domain/campaigns/import/run-import.ts';
import { EDGE, listBody } from '../../helpers/campaigns/contact-list.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let reader: Reader;
let port: number;
beforeAll(async () => {
  reader = await createReader();
  await reader.api.server.listen({ port: 0, host: '127.0.0.1' });
  port = (reader.api.server.server.address() as AddressInfo).port;
});
afterAll(() => reader.api.close());

/** Sends the body in writes of `size` bytes. */
async function send(body: Buffer, size: number): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/v0/campaign/upload-csv',
        headers: {
          'x-api-key': reader.tenant.key,
          'content-type': `multipart/form-data; boundary=${EDGE}`,
          'content-length': body.length,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => (text += more));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> }),
        );
      },
    );
    sent.on('error', reject);
    for (let at = 0; at < body.length; at += size) sent.write(body.subarray(at, at + size));
    sent.end();
  });
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('a file of several pieces', () => {
  it.each([
    ['large writes, before the fields', 1_000_000, true],
    ['large writes, behind the fields', 1_000_000, false],
    ['writes of odd sizes', 4099, true],
  ])('is kept byte for byte: %s', async (_, size, fileFirst) => {
    const header = Buffer.from('Mobile Number,callee_name,note\n+919876543210,Ravi,');
    // Random line breaks and part boundaries. The row exceeds the length limit, which does not matter here.
    const file = Buffer.concat([
      header,
      randomBytes(700_000),
      Buffer.from(`\r\n--${EDGE.slice(0, -2)}`),
      randomBytes(900_000),
    ]);
    const fields = { agent_id: reader.agentId, campaign_name: 'Pieces', remove_invalid_rows: 'true' };
    const answer = await send(listBody({ file, fields, fileFirst }), size);
    expect(answer).toMatchObject({ status: 200, body: { campaign_name: 'Pieces' } });
    const ref = { workspaceId: reader.tenant.workspaceId, uploadId: String(answer.body['bulk_list_id']) };
    const pieces: Buffer[] = [];
    for await (const piece of piecesOf(reader.api.db, ref, 'file')) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    expect(sha256(Buffer.concat(pieces))).toBe(sha256(file));
  });
});
