import { describe, expect, it } from 'vitest';
import { GaloisMode } from './galois-mode.ts';
import { deriveKey } from './key-derivation.ts';
import { SrtpReceiver, SrtpSender } from './srtp.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const room = (packet: Buffer): Buffer => Buffer.concat([packet, Buffer.alloc(20)]);

describe('key derivation (RFC 3711 appendix B.3)', () => {
  const master = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');

  it.each([
    [0, 'C61E7A93744F39EE10734AFE3FF7A087'],
    [2, '30CBBC08863D8C85D49DB34A9AE1'],
    [
      1,
      `CEBE321F6FF7716B6FD4AB49AF256A15 6D38BAA48F0A0ACF3C34E2359E6CDBCE
       E049646C43D9327AD175578EF7227098 6371C10C9A369AC2F94A8C5FBCDDDC25
       6D6E919A48B610EF17C2041E47403576 6B68642C59BBFC2F34DB60DBDFB2`,
    ],
  ])('derives the key of label %i', (label, key) => {
    expect(Buffer.from(deriveKey(master, label, hex(key).length))).toEqual(hex(key));
  });

  it('pads the salt of GCM with zeros (RFC 7714 section 11)', () => {
    const gcm = hex('000102030405060708090a0b0c0d0e0f a0a1a2a3a4a5a6a7a8a9aaab');
    expect(Buffer.from(deriveKey(gcm, 0, 16))).toEqual(hex('077c6143cb221bc355ff23d5f984a16e'));
    expect(Buffer.from(deriveKey(gcm, 5, 12))).toEqual(hex('fcca937b9112a500dac72269'));
  });
});

const PLAIN_RTP = hex('800f1234 decafbad cafebabe abababab abababab abababab abababab');
const PLAIN_RTCP = hex('81c8000b cafebabe abababab abababab abababab abababab');

// The reference packets of libsrtp, made from the master key of RFC 3711 appendix B.3 and that of its GCM tests.
describe.each([
  [
    'AES_CM_128_HMAC_SHA1_80',
    'E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6',
    '4e55dc4c e79978d8 8ca4d215 949d2402 b78d6acc 99ea179b 8dbb',
    '7128035b e487b9bd bef89041 f977a5a8 80000001 993e08cd 54d6c123 0798',
  ],
  [
    'AES_CM_128_HMAC_SHA1_32',
    'E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6',
    '4e55dc4c e79978d8 8ca4d215 949d2402 b78d6acc',
    '7128035b e487b9bd bef89041 f977a5a8 80000001 993e08cd 54d6c123 0798',
  ],
] as const)('packets of %s', (suite, master, rtp, rtcp) => {
  it('are those of libsrtp for RTP', () => {
    const packet = room(PLAIN_RTP);
    const length = new SrtpSender(suite, hex(master)).protectRtp(packet, PLAIN_RTP.length);
    expect(packet.subarray(0, length)).toEqual(Buffer.concat([PLAIN_RTP.subarray(0, 12), hex(rtp)]));
    const opened = new SrtpReceiver(suite, hex(master)).unprotectRtp(packet.subarray(0, length));
    expect(packet.subarray(0, opened)).toEqual(PLAIN_RTP);
  });

  it('are those of libsrtp for RTCP, whose first index is 1', () => {
    const sender = new SrtpSender(suite, hex(master));
    sender.protectRtcp(room(PLAIN_RTCP), PLAIN_RTCP.length);
    const packet = room(PLAIN_RTCP);
    const length = sender.protectRtcp(packet, PLAIN_RTCP.length);
    expect(packet.subarray(0, length)).toEqual(Buffer.concat([PLAIN_RTCP.subarray(0, 8), hex(rtcp)]));
    const opened = new SrtpReceiver(suite, hex(master)).unprotectRtcp(packet.subarray(0, length));
    expect(packet.subarray(0, opened)).toEqual(PLAIN_RTCP);
  });
});

it('the RTP packet of AEAD_AES_128_GCM is that of libsrtp', () => {
  const master = hex('000102030405060708090a0b0c0d0e0f a0a1a2a3a4a5a6a7a8a9aaab');
  const packet = room(PLAIN_RTP);
  const length = new SrtpSender('AEAD_AES_128_GCM', master).protectRtp(packet, PLAIN_RTP.length);
  expect(packet.subarray(12, length)).toEqual(
    hex('c5002ede 04cfdd2e b91159e0 880aa06e d2976826 f796b201 df3131a1 27e8a392'),
  );
});

describe('AEAD_AES_128_GCM (RFC 7714 sections 16 and 17)', () => {
  const cipher = new GaloisMode({
    keys: {
      encryption: hex('000102030405060708090a0b0c0d0e0f'),
      salt: hex('51756964 2070726f 2071756f'),
      authentication: new Uint8Array(),
    },
    tagBytes: 16,
    mkiBytes: 0,
  });
  const RTP = hex(
    `8040f17b 8041f8d3 5501a0b2 47616c6c 69612065 7374206f 6d6e6973 20646976 69736120 696e2070 61727465 73207472
     6573`,
  );
  const POSITION = { ssrc: 0x5501a0b2, rollover: 0, sequence: 0xf17b };
  const RTCP = hex(
    `81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef
     deadbeef`,
  );
  const MARS = 0x4d617273;

  it('encrypts and decrypts the RTP packet of section 16.1', () => {
    const sealed = hex(
      `8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a 51c7d19b 36de3adf
       8833899d 7f27beb1 6a9152cf 765ee439 0cce`,
    );
    const packet = room(RTP);
    expect(packet.subarray(0, cipher.sealRtp(packet, 12, RTP.length, POSITION))).toEqual(sealed);
    expect(sealed.subarray(0, cipher.openRtp(sealed, 12, POSITION))).toEqual(RTP);
  });

  it('encrypts and decrypts the RTCP packet of section 17.1', () => {
    const sealed = hex(
      `81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda 4ce09b46 86303ded
       0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade 800005d4`,
    );
    const packet = room(RTCP);
    expect(packet.subarray(0, cipher.sealRtcp(packet, RTCP.length, MARS, 0x5d4))).toEqual(sealed);
    expect(cipher.rtcpIndex(sealed)).toBe(0x800005d4);
    expect(sealed.subarray(0, cipher.openRtcp(sealed, MARS))).toEqual(RTCP);
  });

  it('takes the RTCP packet of section 17.3, which is only authenticated', () => {
    const tagged = hex(
      `81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef
       deadbeef 841dd968 3dd78ec9 2ae58790 125f62b3 000005d4`,
    );
    expect(tagged.subarray(0, cipher.openRtcp(tagged, MARS))).toEqual(RTCP);
  });
});
