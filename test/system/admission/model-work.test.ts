import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnalysedSubject, AnalysisInput, Analyst } from '../../../src/domain/analysis/analysis.ts';
import { paidAnalyst } from '../../../src/domain/analysis/paid-analyst.ts';
import { MeaningSearch } from '../../../src/domain/knowledge/meaning-search.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { eventually } from '../../helpers/service/service.ts';

const CREDIT = 1_000_000;
const PATIENT_MS = 10_000;

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api?.close());
beforeEach(async () => {
  tenant = await createTenant(api);
});

const setUp = (credits: number, limits: object = {}) =>
  sql`update workspaces set unlimited = false, credits = ${credits * CREDIT}, spent_today = 0, stranger_spent = 0,
    settings = settings || ${JSON.stringify({ limits })}::jsonb where id = ${tenant.workspaceId}`.execute(
    api.db,
  );
const money = async () =>
  (
    await sql<{ credits: number; locked: number; turns: number }>`
      select credits::float8 / 1000000 as credits, locked_credits::float8 / 1000000 as locked, turns_today as turns
      from workspaces w where id = ${tenant.workspaceId}`.execute(api.db)
  ).rows[0];
const ledger = async () => {
  const { body } = await api.request('GET', '/api/v0/workspace/credits', { key: tenant.key });
  return body['entries'];
};
/** Searches settle their holds beside the answer. */
const settled = () =>
  eventually('no hold to be open', async () => {
    const { rows } = await sql`select from holds where workspace_id = ${tenant.workspaceId}`.execute(api.db);
    return rows.length === 0 ? true : null;
  });

describe('the question of a search by meaning, which an embeddings model reads', () => {
  const kbIds = [newId()];

  /** A search whose embeddings cost a tenth of a credit, and the questions that its model was sent. */
  function priced(
    embed: (text: string) => Promise<Float32Array> = () => Promise.resolve(new Float32Array(2)),
  ) {
    const asked: string[] = [];
    const search = new MeaningSearch({
      db: api.db,
      clock: api.clock,
      log: silentLog,
      hasNear: false,
      prices: { thousandEmbeddings: 100 },
      embedder: {
        name: 'priced',
        embed: (texts) => {
          asked.push(...texts);
          return Promise.all(texts.map(embed));
        },
      },
    });
    const ask = async (question: string, byStranger = false) => {
      const place = { workspaceId: tenant.workspaceId, kbIds, byStranger };
      return (await search.search(place, question, 3, PATIENT_MS)).state;
    };
    return { asked, ask };
  }

  it('is charged once, and a question that is known or asked at the same time costs nothing', async () => {
    await setUp(1);
    const { ask, asked } = priced();
    const states = await Promise.all([ask('Where do I park?'), ask('where do I park? ')]);
    expect([...states, await ask('Where do I park?')]).toEqual(['used', 'used', 'used']);
    await settled();
    expect(asked).toHaveLength(1);
    expect(await money()).toEqual({ credits: 0.9, locked: 0, turns: 0 });
    expect(await ask('May I bring a dog?')).toBe('used');
    await settled();
    expect(await ledger()).toMatchObject([{ call_id: kbIds[0], kind: 'search', credits: 0.2 }]);
  });

  it('is sent to no model without credits: keywords alone search', async () => {
    await setUp(0.05);
    const { ask, asked } = priced();
    expect(await ask('Where do I park?')).toBe('unpaid');
    expect([asked, await money()]).toEqual([[], { credits: 0.05, locked: 0, turns: 0 }]);
  });

  it('of a caller or visitor stops at the cap for strangers, and that of a member goes on', async () => {
    await setUp(10, { stranger_credits_per_day: 0.15 });
    const { ask } = priced();
    expect(await ask('one?', true)).toBe('used');
    await settled();
    expect([await ask('two?', true), await ask('two?')]).toEqual(['unpaid', 'used']);
    await settled();
    expect(await money()).toEqual({ credits: 9.8, locked: 0, turns: 0 });
  });

  it('that the model does not answer costs nothing', async () => {
    await setUp(1);
    const { ask } = priced(() => Promise.reject(new Error('the server is down')));
    expect(await ask('Where do I park?')).toBe('failed');
    await settled();
    expect([await money(), await ledger()]).toEqual([{ credits: 1, locked: 0, turns: 0 }, []]);
  });
});

describe('an ended conversation that a model analyses', () => {
  const input: AnalysisInput = {
    language: 'en-US',
    timeZone: 'Etc/UTC',
    endedAt: 0,
    subStatus: 'USER_LEFT',
    hangupBy: 'caller',
    agentName: 'Maya',
    prompt: '',
    transcript: [{ role: 'caller', text: 'Yes, please.' }],
    tools: [],
    labels: [],
    client: null,
    evaluations: [],
  };
  const findings = {
    summary: 'Agreed.',
    classification: null,
    keyPoints: [],
    actionItems: [],
    sentiment: 'neutral',
    callback: null,
  } as const;
  const answers: Analyst = {
    name: 'model',
    analyse: () => Promise.resolve({ analyst: 'model', findings, client: null, evaluations: [] }),
  };
  const analyse = async (of: Partial<AnalysedSubject> = {}, model = answers) => {
    const deps = { db: api.db, clock: api.clock, prices: { analysis: 0.25 } };
    const subject = {
      kind: 'call',
      workspaceId: tenant.workspaceId,
      subjectId: newId(),
      byStranger: false,
      ...of,
    } as const;
    return (await paidAnalyst(deps, subject, model).analyse(input)).analyst;
  };

  it('is charged for each answer of the model, in one entry of the call, and not when the model fails', async () => {
    await setUp(1);
    const of = { subjectId: newId() };
    expect([await analyse(of), await analyse(of)]).toEqual(['model', 'model']);
    expect(await ledger()).toMatchObject([
      { call_id: of.subjectId, attempt: 0, kind: 'analysis', credits: 0.5 },
    ]);
    const failing = { ...answers, analyse: () => Promise.reject(new Error('no answer')) };
    await expect(analyse(of, failing)).rejects.toThrow('no answer');
    expect(await money()).toEqual({ credits: 0.5, locked: 0, turns: 0 });
  });

  it('is analysed by rules without credits, and no model is asked', async () => {
    await setUp(0.2);
    const unasked = { ...answers, analyse: () => Promise.reject(new Error('the model was asked')) };
    expect(await analyse({}, unasked)).toBe('offline-rules');
    expect([await money(), await ledger()]).toEqual([{ credits: 0.2, locked: 0, turns: 0 }, []]);
  });

  it('counts as a model turn of chats and test cases, which stop at model_turns_per_day also when they are free', async () => {
    await setUp(1, { model_turns_per_day: 1 });
    await sql`update workspaces set unlimited = true where id = ${tenant.workspaceId}`.execute(api.db);
    expect(await analyse({ kind: 'chat', byStranger: true })).toBe('model');
    expect(await analyse({ kind: 'test' })).toBe('offline-rules');
    expect(await analyse({ kind: 'call' })).toBe('model');
    expect(await money()).toEqual({ credits: 1, locked: 0, turns: 1 });
  });

  it('of strangers stop at their cap of the day, and those of the workspace go on', async () => {
    await setUp(10, { stranger_credits_per_day: 0.25 });
    const stranger = { byStranger: true };
    expect([await analyse(stranger), await analyse(stranger), await analyse()]).toEqual([
      'model',
      'offline-rules',
      'model',
    ]);
  });
});
