import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  connect,
  createSecureContext,
  createServer,
  getCACertificates,
  type SecureContext,
  type Server,
  type TLSSocket,
} from 'node:tls';
import type { Log } from './ports.ts';
import type { StreamWire } from './stream-wire.ts';
import { identityError } from './tls-identity.ts';
import type { Peer } from './transport.ts';

/** Certificates and keys in PEM. */
export interface TlsMaterial {
  /** Our certificate with its chain: of the listener, and shown to peers that ask for one; null: we only connect. */
  readonly own: { readonly certificate: string; readonly key: string } | null;
  /** Authorities that sign the certificates of peers, besides the public ones; null: none. */
  readonly authorities: string | null;
  /** Authorities that sign the certificates of peers that connect; null: they need none. */
  readonly clientAuthorities: string | null;
}

interface Contexts {
  readonly of: TlsMaterial;
  readonly client: SecureContext;
  readonly server: Server | null;
}

const OLDEST_VERSION = 'TLSv1.2';
const HANDSHAKE_MS = 10_000;

/**
 * SIP over TLS 1.2 and newer. `material` is read for every connection: a changed one holds from the next connection on.
 * A connection that we make is closed unless the certificate speaks for the domain of the peer.
 */
export class TlsWire implements StreamWire {
  readonly transport = 'tls';
  readonly ready = 'secureConnect';
  readonly #material: () => TlsMaterial;
  readonly #log: Log;
  readonly #handshakeMs: number;
  /** Handshakes of accepted connections, by the address and port of the peer. */
  readonly #waiting = new Map<string, (socket: Socket) => void>();
  #made: Contexts | null = null;

  constructor(material: () => TlsMaterial, log: Log, handshakeMs = HANDSHAKE_MS) {
    this.#material = material;
    this.#log = log;
    this.#handshakeMs = handshakeMs;
  }

  connect(to: Peer): Socket {
    const domain = (to.domain ?? to.address).replaceAll(/^\[|\]$/g, '');
    return connect({
      host: to.address,
      port: to.port,
      secureContext: this.#current().client,
      // An address is no server name (RFC 6066 section 3).
      servername: isIP(domain) === 0 ? domain : '',
      checkServerIdentity: (_host, certificate) => identityError(domain, certificate),
    });
  }

  accept(socket: Socket, done: (socket: Socket) => void): void {
    const { server } = this.#current();
    if (server === null) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.#waiting.set(key, done);
    socket.once('close', () => this.#waiting.delete(key));
    server.emit('connection', socket);
  }

  #current(): Contexts {
    const material = this.#material();
    if (this.#made?.of !== material)
      this.#made = { of: material, client: clientContext(material), server: this.#server(material) };
    return this.#made;
  }

  /** Makes handshakes; it does not listen itself. */
  #server(material: TlsMaterial): Server | null {
    const { own, clientAuthorities } = material;
    if (own === null) return null;
    const server = createServer({
      cert: own.certificate,
      key: own.key,
      minVersion: OLDEST_VERSION,
      handshakeTimeout: this.#handshakeMs,
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      ...(clientAuthorities === null
        ? {}
        : // Refused below: Node would close the connection without the reason.
          { ca: clientAuthorities, requestCert: true, rejectUnauthorized: false }),
    });
    const refuse = (err: Error, socket: TLSSocket): void => {
      this.#log.debug({ err, peer: socket.remoteAddress }, 'SIP TLS handshake failed');
      socket.destroy();
    };
    server.on('secureConnection', (socket) => {
      const done = this.#waiting.get(keyOf(socket));
      this.#waiting.delete(keyOf(socket));
      if (clientAuthorities !== null && !socket.authorized) refuse(unauthorized(socket), socket);
      else if (done === undefined) socket.destroy();
      else done(socket);
    });
    server.on('tlsClientError', refuse);
    return server;
  }
}

function clientContext({ own, authorities }: TlsMaterial): SecureContext {
  return createSecureContext({
    minVersion: OLDEST_VERSION,
    ...(own === null ? {} : { cert: own.certificate, key: own.key }),
    ...(authorities === null ? {} : { ca: [...getCACertificates('default'), authorities] }),
  });
}

/** Its code is that of the check of the certificate, such as CERT_HAS_EXPIRED. */
function unauthorized({ authorizationError }: TLSSocket): Error {
  // Typed as an error, but a code.
  const code = String(authorizationError);
  return Object.assign(new Error(`the certificate of the client is not accepted: ${code}`), { code });
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress}|${remotePort}`;
