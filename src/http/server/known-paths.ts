import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiError, errors } from '../../errors.ts';

interface KnownPath {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/** Characters of a path that an answer repeats. */
const MAX_SHOWN = 200;
const PARAMETER = /^:/;

const parametersOf = ({ segments }: Pick<KnownPath, 'segments'>): number =>
  segments.filter((part) => PARAMETER.test(part)).length;

const fits = (known: KnownPath, segments: readonly string[]): boolean =>
  known.segments.length === segments.length &&
  known.segments.every((part, at) => (PARAMETER.test(part) ? segments[at] !== '' : part === segments[at]));

/** The paths of the routes, for the answer to a request that matches none. */
export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>();
  /** By the URL of the route that a request matched. */
  readonly #rivals = new Map<string, readonly KnownPath[]>();
  readonly #prefix: string;

  /** `prefix` begins the paths of the API. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Adds the routes that are registered from here on. */
  collect(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      if (url.includes('*')) return;
      const known = this.#paths.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
      for (const name of [method].flat()) known.methods.add(name);
      this.#paths.set(url, known);
    });
  }

  /** 405 where the path has other methods; else 404, which names the path that was probably meant. */
  errorOf({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): ApiError {
    const [path = ''] = url.split('?', 1);
    const methods = this.#methodsOf(path);
    if (methods !== null && !methods.includes(method)) return errors.methodNotAllowed(method, methods);
    if (methods !== null) return errors.routeNotFound();
    const meant = this.#candidates(path).find((other) => this.#methodsOf(other) !== null);
    return errors.routeNotFound(meant?.slice(0, MAX_SHOWN) ?? null);
  }

  #candidates(path: string): string[] {
    const bare = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
    return [
      bare,
      `${this.#prefix}${bare}`,
      `${this.#prefix}${bare.replace(/^\/(?:api\/)?(?:v\d+\/)?/, '/')}`,
    ];
  }

  /** Whether a path with fewer parameters is meant, which has other methods: `all` in /agent/all is no agent's id. */
  isOfOthers({
    method,
    url,
    routeOptions,
  }: Pick<FastifyRequest, 'method' | 'url' | 'routeOptions'>): boolean {
    const [path = ''] = url.split('?', 1);
    const segments = path.split('/');
    const meant = this.#rivalsOf(routeOptions.url ?? '').find((rival) => fits(rival, segments));
    return meant !== undefined && !meant.methods.has(method);
  }

  /** Paths with fewer parameters that requests of the route may mean. */
  #rivalsOf(route: string): readonly KnownPath[] {
    const known = this.#rivals.get(route);
    if (known !== undefined) return known;
    const segments = route.split('/');
    const rivals = [...this.#paths.values()]
      .filter(
        (other) =>
          route.startsWith(this.#prefix) &&
          other.segments.length === segments.length &&
          other.segments.every((part, at) => PARAMETER.test(segments[at] ?? '') || part === segments[at]) &&
          parametersOf(other) < parametersOf({ segments }),
      )
      .toSorted((a, b) => parametersOf(a) - parametersOf(b));
    this.#rivals.set(route, rivals);
    return rivals;
  }

  /** The methods of a path; null: no route matches. */
  #methodsOf(path: string): string[] | null {
    const exact = this.#paths.get(path);
    if (exact !== undefined) return [...exact.methods].toSorted();
    const segments = path.split('/');
    const matching = [...this.#paths.values()].filter((known) => fits(known, segments));
    // `run` in /test-cases/run is no case's id: of two paths that match, the one with fewer parameters is meant.
    const [closest] = matching.toSorted((a, b) => parametersOf(a) - parametersOf(b));
    return closest === undefined ? null : [...closest.methods].toSorted();
  }
}
