import { readFileSync } from 'node:fs';
import { type TortureCase } from './torture-case.ts';

/** Our reactions to the messages of RFC 4475 section 3, by the file's name in parentheses. */
const REACTIONS: readonly Omit<TortureCase, 'bytes'>[] = [
  { name: '3.1.1.1 short tortuous INVITE (wsinv): a To tag without a dialog', expect: 481 },
  { name: '3.1.1.2 wide range of valid characters (intmeth)', expect: 501 },
  { name: '3.1.1.3 valid use of % escaping (esc01)', expect: 'call' },
  { name: '3.1.1.4 escaped nulls in URIs (escnull)', expect: 405 },
  { name: '3.1.1.5 % when it is not an escape (esc02)', expect: 501 },
  { name: '3.1.1.6 no space between display name and < (lwsdisp)', expect: 200 },
  { name: '3.1.1.7 long values (longreq)', expect: 'call' },
  // The body of its second request is longer than it says, so that a stream ends with it.
  {
    name: '3.1.1.8 extra trailing octets in a datagram (dblreq)',
    expect: 405,
    overTcp: { statuses: [405, 100], calls: 1, closes: true },
  },
  { name: '3.1.1.9 semicolon-separated parameters in the user part (semiuri)', expect: 200 },
  { name: '3.1.1.10 varied and unknown transports (transports)', expect: 200 },
  { name: '3.1.1.11 multipart MESSAGE (mpart01)', expect: 405 },
  { name: '3.1.1.12 unusual reason phrase (unreason)', expect: 'response' },
  { name: '3.1.1.13 empty reason phrase (noreason)', expect: 'response' },
  { name: '3.1.2.1 extraneous separators (badinv01)', expect: 400 },
  {
    name: '3.1.2.2 Content-Length larger than the message (clerr)',
    expect: 400,
    overTcp: { statuses: [], calls: 0 },
  },
  {
    name: '3.1.2.3 negative Content-Length (ncl)',
    expect: 400,
    overTcp: { statuses: [], calls: 0, closes: true },
  },
  { name: '3.1.2.4 request scalars out of range (scalar02)', expect: 400 },
  { name: '3.1.2.5 response scalars out of range (scalarlg)', expect: 'drop' },
  { name: '3.1.2.6 unterminated quoted string (quotbal)', expect: 400 },
  { name: '3.1.2.7 <> around the Request-URI (ltgtruri)', expect: 400 },
  { name: '3.1.2.8 spaces inside the Request-URI (lwsruri)', expect: 400 },
  { name: '3.1.2.9 multiple spaces in the request line (lwsstart)', expect: 400 },
  { name: '3.1.2.10 spaces after the request line (trws)', expect: 400 },
  { name: '3.1.2.11 headers escaped into the Request-URI (escruri)', expect: 400 },
  { name: '3.1.2.12 Date in a zone other than GMT (baddate): we ignore Date', expect: 'call' },
  { name: '3.1.2.13 Contact with a question mark and no <> (regbadct)', expect: 400 },
  { name: '3.1.2.14 spaces inside an addr-spec (badaspec)', expect: 400 },
  {
    // The archive's message ends without the empty line: a datagram is malformed, and a stream waits for more.
    name: '3.1.2.15 separators in an unquoted display name (baddn)',
    expect: 400,
    overTcp: { statuses: [], calls: 0 },
  },
  { name: '3.1.2.16 unknown protocol version (badvers)', expect: 505 },
  { name: '3.1.2.17 start line and CSeq disagree (mismatch01)', expect: 400 },
  { name: '3.1.2.18 unknown method, start line and CSeq disagree (mismatch02)', expect: 400 },
  { name: '3.1.2.19 overlarge response code (bigcode)', expect: 'drop' },
  { name: '3.2.1 branch without a transaction identifier (badbranch): RFC 2543 matching', expect: 200 },
  { name: '3.3.1 missing required headers (insuf)', expect: 400 },
  { name: '3.3.2 Request-URI with an unknown scheme (unkscm)', expect: 416 },
  { name: '3.3.3 Request-URI with a known but atypical scheme (novelsc)', expect: 416 },
  { name: '3.3.4 unknown schemes in header fields (unksm2)', expect: 405 },
  { name: '3.3.5 Require and Proxy-Require (bext01)', expect: 420 },
  { name: '3.3.6 unknown content type (invut)', expect: 415 },
  { name: '3.3.7 unknown authorization scheme (regaut01)', expect: 405 },
  { name: '3.3.8 multiple values in single-value fields (multi01)', expect: 400 },
  // With two lengths the parser of a stream does not know where the message ends, and closes the connection.
  {
    name: '3.3.9 multiple Content-Length values (mcl01)',
    expect: 400,
    overTcp: { statuses: [400], calls: 0, closes: true },
  },
  { name: '3.3.10 200 OK with a broadcast Via (bcast)', expect: 'response' },
  { name: '3.3.11 Max-Forwards of zero for another host (zeromf)', expect: 483 },
  { name: '3.3.12 REGISTER with a Contact header parameter (cparam01)', expect: 405 },
  { name: '3.3.13 REGISTER with a url parameter (cparam02)', expect: 405 },
  { name: '3.3.14 REGISTER with a URL-escaped header (regescrt)', expect: 405 },
  { name: '3.3.15 Accept without SDP (sdp01)', expect: 406 },
  // RFC 3261 section 18.3: a message on a stream needs Content-Length, which this one lacks.
  {
    name: '3.4.1 INVITE of RFC 2543 (inv2543)',
    expect: 'call',
    overTcp: { statuses: [], calls: 0, closes: true },
  },
];

/** RFC 4475: `rfc4475/NAME.dat` holds a message octet for octet as in the archive of its appendix A. */
export const TORTURE: readonly TortureCase[] = REACTIONS.map((one) => {
  const file = /\((\w+)\)/.exec(one.name)?.[1];
  return { ...one, bytes: readFileSync(new URL(`rfc4475/${file}.dat`, import.meta.url)) };
});
