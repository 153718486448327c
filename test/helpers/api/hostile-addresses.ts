/** URLs refused when saved: other schemes, malformed, or with credentials. */
export const UNSAVABLE: readonly string[] = [
  'http://user:pass@127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_x',
  'ftp://127.0.0.1:PORT/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  '//127.0.0.1:PORT/',
  '',
];

/** Internal addresses in every notation. */
export const INSIDE: readonly string[] = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0.0.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.000.000.001:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://10.0.0.1:5432/',
  'http://192.168.0.1/',
  'http://[fe80::1]/',
  'https://127.0.0.1:PORT/',
];

export const toPort = (addresses: readonly string[], port: number): string[] =>
  addresses.map((address) => address.replace('PORT', String(port)));

/** Names that resolve to internal addresses, by the answers of successive queries. */
export const INSIDE_NAMES: Readonly<Record<string, (nth: number) => readonly string[]>> = {
  // Public first and internal later, both at once, or internal in IPv6 notation.
  'rebind.test': (nth) => (nth === 1 ? ['192.0.2.77'] : ['127.0.0.1']),
  'both.test': () => ['8.8.8.8', '127.0.0.1'],
  'mapped.test': () => ['::ffff:7f00:1'],
  'nat64.test': () => ['64:ff9b::7f00:1'],
  'sixtofour.test': () => ['2002:7f00:1::'],
  'metadata.test': () => ['169.254.169.254', 'fd00:ec2::254'],
  'inner.test': () => ['127.0.0.1'],
};

export const namesTo = (port: number): string[] =>
  Object.keys(INSIDE_NAMES).map((name) => `http://${name}:${port}/`);
