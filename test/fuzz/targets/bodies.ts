import * as fc from 'fast-check';
import { newId } from '../../../src/shared/ids.ts';
import { fieldsOf, readShapes, type Shape } from '../../helpers/api/api-surface.ts';
import { createTenant, createTestApi } from '../../helpers/api/api.ts';
import type { TestDatabase } from '../../helpers/database/database.ts';
import { createHoldings } from '../../helpers/api/owned-objects.ts';
import { arbitraryOf } from '../../helpers/api/schema-values.ts';
import { wholeRequest } from '../../helpers/api/full-request.ts';
import type { Dice } from '../dice.ts';
import { BOUNDARIES, mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

/** A request that takes longer hangs. */
const HANG_MS = 20_000;
/** Slightly more than a body may have. */
const MAX_CHARS = 1_100_000;
const JSON_TOKENS = tokens(
  '{¦}¦[¦]¦,¦:¦"¦\\¦\\u0000¦\\ud800¦null¦true¦1e400¦-¦ ¦\n¦{}¦[]¦""¦"a":¦/*¦"__proto__":¦"constructor":¦0.1',
);
const TEXTS = tokens(
  '¦ ¦\t\n¦null¦0¦-1¦{{callee_name}}¦@{{¦<script>¦../../etc/passwd¦%00¦\\¦\u0000¦\uD800¦\u202E¦👩‍👩‍👧¦é',
  '+14155550123¦2026-02-30T25:61:00Z¦0000-00-00¦Etc/UTC¦GMT+25¦en-XX¦http://[::1]/¦file:///etc/passwd¦data:,x¦*¦1e999',
);

type Json = unknown;

/** Every value and key of a body, as ways to replace it. */
function places(value: Json, replace: (next: Json) => Json): ((change: (old: Json) => Json) => Json)[] {
  const own = [(change: (old: Json) => Json) => replace(change(value))];
  if (Array.isArray(value)) {
    return [...own, ...value.flatMap((item, at) => places(item, (next) => replace(value.with(at, next))))];
  }
  if (typeof value !== 'object' || value === null) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, item]) =>
      places(item, (next) => replace({ ...value, [key]: next })),
    ),
  ];
}

function odd(dice: Dice): (old: Json) => Json {
  const text = dice.pick(TEXTS);
  const number = Number(dice.pick(BOUNDARIES));
  switch (dice.below(12)) {
    case 0:
      return () => (Number.isFinite(number) ? number : null);
    case 1:
      return () => dice.pick(BOUNDARIES);
    case 2:
      return () => text;
    case 3:
      return () => text.repeat(Math.ceil(dice.pick([100, 1_000, 20_000]) / Math.max(1, text.length)));
    case 4:
      return () => dice.pick([null, true, false, {}, [], [null], [[]], [{}], '']);
    case 5:
      return (old) => Array.from({ length: dice.pick([2, 101, 2_000]) }, () => old);
    case 6: {
      const depth = dice.pick([3, 40]);
      return (old) => Array.from({ length: depth }).reduce<Json>((inner) => [inner], old);
    }
    case 7:
      return (old) => ({ ...(typeof old === 'object' ? old : {}), [text]: old });
    case 8:
      return (old) => {
        if (typeof old !== 'object' || old === null || Array.isArray(old)) return undefined;
        const keys = Object.keys(old);
        const left = keys.length === 0 ? '' : dice.pick(keys);
        return Object.fromEntries(Object.entries(old).filter(([key]) => key !== left));
      };
    case 9:
      return (old) => (typeof old === 'string' ? old.toUpperCase() : (JSON.stringify(old) ?? ''));
    case 10:
      return (old) => (typeof old === 'number' ? -old : typeof old === 'string' ? old.slice(1) : [old]);
    default:
      return () => newIdOf(dice);
  }
}

/** A well-formed id of nothing. */
const newIdOf = (dice: Dice): string => newId().slice(0, 24) + dice.bytes(6).toString('hex');

/**
 * Bodies and queries of every route: valid ones from the schema, mutated ones and broken JSON. An input is the key of a
 * request shape, a line end and the body or query. Answers are documented and below 500, with a message for an error.
 */
export async function openBodies(database: TestDatabase | null = null): Promise<Target> {
  const api = await createTestApi({}, database);
  const tenant = await createTenant(api, { unlimited: true });
  const own = await createHoldings(api, tenant);
  // Event streams do not end, and the recordings of this server have no waveform.
  const shapes = (await readShapes()).filter(
    ({ key, isForm, endpoint }) =>
      !isForm && key !== 'getRecordingPeaks' && !JSON.stringify(endpoint.responses).includes('event-stream'),
  );
  const byKey = new Map(shapes.map((shape) => [shape.key, shape]));
  const arbitraries = new Map<string, fc.Arbitrary<Json>>();
  /** Ids differ between runs, so inputs hold their kinds. */
  const ids = Object.entries(own).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const anonymous = (text: string): string =>
    ids.reduce((all, [kind, id]) => all.replaceAll(id, `<<${kind}>>`), text);
  const named = (text: string): string =>
    ids.reduce((all, [kind, id]) => all.replaceAll(`<<${kind}>>`, id), text);

  const valid = (shape: Shape, dice: Dice): Json => {
    const whole = wholeRequest(shape, own).body ?? {};
    if (shape.body === null || dice.chance(0.5)) return whole;
    const arbitrary = arbitraries.get(shape.key) ?? arbitraryOf(shape.body);
    arbitraries.set(shape.key, arbitrary);
    const [sample] = fc.sample(arbitrary, { numRuns: 1, seed: dice.below(2 ** 31) });
    return { ...(sample as object), ...whole };
  };

  const bodyText = (shape: Shape, dice: Dice): string => {
    let body = valid(shape, dice);
    for (let edits = dice.below(4); edits > 0; edits -= 1) {
      body = dice.pick(places(body, (next) => next))(odd(dice)) ?? null;
    }
    const text = (JSON.stringify(body) ?? 'null').slice(0, MAX_CHARS);
    return dice.chance(0.15) ? mutateText(text, JSON_TOKENS, [text], dice) : text;
  };

  const queryText = (shape: Shape, dice: Dice): string => {
    const fields = fieldsOf(shape).filter(({ place }) => place === 'query');
    const chosen = fields.filter(() => dice.chance(0.4));
    const pairs = chosen.map(({ path }): [string, string] => [
      path[0] ?? '',
      dice.chance(0.5) ? dice.pick(BOUNDARIES) : dice.pick(TEXTS),
    ]);
    return new URLSearchParams(pairs).toString();
  };

  return {
    name: 'bodies',
    make(dice) {
      const shape = dice.pick(shapes);
      const text = shape.body === null ? queryText(shape, dice) : bodyText(shape, dice);
      return Buffer.from(`${shape.key}\n${anonymous(text)}`);
    },
    async run(input) {
      const text = input.toString('utf8');
      const end = text.indexOf('\n');
      const shape = byKey.get(text.slice(0, end));
      must(shape !== undefined, `no request ${text.slice(0, end)}`);
      const content = named(text.slice(end + 1));
      const { method, url } = wholeRequest(shape, own);
      const query = content === '' ? '' : (url.includes('?') ? '&' : '?') + content;
      const answer = await Promise.race([
        shape.body === null
          ? api.request(method, url + query, { key: tenant.key })
          : api.request(method, url, { key: tenant.key, raw: content }),
        new Promise<null>((resolve) => {
          setTimeout(() => resolve(null), HANG_MS).unref();
        }),
      ]);
      must(answer !== null, 'the request hangs');
      const { status, body } = answer;
      // No WhatsApp answers in the tests.
      const isWhatsappAway = status === 503 && answer.text.includes('"WHATSAPP_UNAVAILABLE"');
      must(status < 500 || isWhatsappAway, `${shape.key} answers ${status}: ${answer.text.slice(0, 200)}`);
      must(
        String(status) in shape.endpoint.responses,
        `${shape.key} answers ${status}, which is not documented`,
      );
      must(
        status < 400 || (typeof body['message'] === 'string' && body['message'] !== ''),
        `${shape.key} answers ${status} without a message`,
      );
    },
    close: () => api.close(),
  };
}
