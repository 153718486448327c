import { structuredModel } from '../../app/workspace-models.ts';
import { loadConfig } from '../../config.ts';
import type { StructuredModel } from '../../domain/analysis/model-analyst.ts';
import { askLine } from '../../domain/rehearsals/ask-line.ts';
import { askedBy, covered, fromMicro, toMicro, worstOfLine } from '../../domain/rehearsals/budget.ts';
import type { CallerLines } from '../../domain/rehearsals/caller-lines.ts';
import { Refused } from '../../http/agents/document/document.ts';
import { openReach } from '../../providers/wire/reach.ts';
import { mostAsked } from '../../rehearsal/caller/model-request.ts';
import { placeOf, type RunToPlay } from '../../rehearsal/run.ts';
import type { PriceTable } from '../../shared/prices.ts';
import { LineFile } from './line-file.ts';

interface Asked {
  readonly model: StructuredModel;
  readonly prices: PriceTable;
}

/** Words callers with the language model of the settings, and keeps the lines and their cost. */
export class ModelCallers {
  readonly #file: LineFile;
  readonly #most: number | null;
  readonly #asked: Asked | null;
  readonly #close: () => Promise<void>;
  #spent = 0;

  private constructor(file: LineFile, most: number | null, asked: Asked | null, close: () => Promise<void>) {
    this.#file = file;
    this.#most = most;
    this.#asked = asked;
    this.#close = close;
  }

  /** Throws Refused for settings or a file that are wrong, and for a budget with a model that has no price. */
  static async open(options: {
    readonly lines: string | undefined;
    readonly maxCost: number | undefined;
    readonly env: NodeJS.ProcessEnv;
  }): Promise<ModelCallers> {
    const loaded = loadConfig(options.env);
    if (!loaded.ok) throw new Refused(loaded.problems);
    const { llm, prices, safeFetchAllow: allow } = loaded.config;
    const reach = openReach({ allow });
    const model = await structuredModel(undefined, llm, reach);
    const most = options.maxCost === undefined ? null : toMicro(options.maxCost);
    const asked = model === null ? null : { model, prices };
    if (most !== null && asked !== null && worstOf(asked, { bytes: 1, tokens: 1 }) === null)
      throw new Refused([`--max-cost needs a price of ${asked.model.name} in the price list (PRICES_FILE)`]);
    return new ModelCallers(new LineFile(options.lines), most, asked, () => reach.close());
  }

  /** What the lines have cost; null: there is no model, or it has no price. */
  get cost(): { readonly cost: number; readonly currency: string } | null {
    const asked = this.#asked;
    if (asked === null || worstOf(asked, { bytes: 1, tokens: 1 }) === null) return null;
    return { cost: fromMicro(this.#spent), currency: asked.prices.currency };
  }

  /** Whether the budget covers a call whatever its course; `runs`: both versions have it. */
  covers(runs: readonly RunToPlay[], call: number): boolean {
    return covered({ most: this.#most, spent: this.#spent }, [this.worst(runs, call)]) === 1;
  }

  /** What a call may cost at most, in millionths. */
  worst(runs: readonly RunToPlay[], call: number): number {
    const asked = this.#asked;
    if (asked === null) return 0;
    return runs.reduce((sum, run) => {
      const { part, seed } = placeOf(run, call);
      const { lines, ...line } = mostAsked(part.scenario, part.agent.spec.agent.language, seed);
      return sum + lines * (worstOf(asked, line) ?? 0);
    }, 0);
  }

  /** The lines of a call: recorded ones, else those of the model, which are recorded. Rejects with Refused where one is missing without a model. */
  of(call: number): CallerLines {
    return {
      line: async (request) => {
        const known = this.#file.find(call, request.key);
        if (known !== undefined) return known;
        const asked = this.#asked;
        if (asked === null) throw new Refused([NO_MODEL]);
        const { line, cost } = await askLine(
          asked.model,
          asked.prices,
          request,
          worstOf(asked, askedBy(request)) ?? 0,
        );
        this.#spent += cost;
        this.#file.keep(call, request.key, line);
        return line;
      },
    };
  }

  close(): Promise<void> {
    return this.#close();
  }
}

const NO_MODEL =
  'a model words the callers of these scenarios, and none is set: set one as for the service (docs/providers.md), or pass --lines with recorded lines';

const worstOf = ({ model, prices }: Asked, of: { bytes: number; tokens: number }): number | null =>
  worstOfLine(prices, model.models ?? [], of);
