import { createHash } from 'node:crypto';
import type { HrTime } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Config } from '../config.ts';
import type { CallSpan } from '../domain/calls/trace.ts';
import type { SendTrace } from '../jobs/export-trace.ts';
import { VERSION } from '../shared/version.ts';

type Settings = NonNullable<Config['traces']>;

const TIMEOUT_MS = 10_000;
/** `ExportResultCode.SUCCESS` is 0. */
const isAccepted = ({ code }: { readonly code: number }): boolean => code === 0;

/** Sends traces by OTLP over HTTP. The libraries are loaded with the first trace. */
export function traceExport(settings: Settings): { readonly send: SendTrace; close(): Promise<void> } {
  let opened: ReturnType<typeof open> | null = null;
  return {
    async send(of, spans) {
      opened ??= open(settings);
      const { record, exporter } = await opened;
      const recorded = record(of, spans);
      await new Promise<void>((resolve, reject) => {
        exporter.export(recorded, (result) => {
          if (isAccepted(result)) resolve();
          else reject(result.error ?? new Error('the receiver refused the trace'));
        });
      });
    },
    async close() {
      await (await opened?.catch(() => null))?.exporter.shutdown();
    },
  };
}

async function open({ endpoint, headers, serviceName }: Settings) {
  const [api, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: TIMEOUT_MS,
  });
  const kinds = { internal: api.SpanKind.INTERNAL, client: api.SpanKind.CLIENT } as const;

  /** Makes the spans of one trace, whose ids follow from call and attempt. */
  const record = (of: Parameters<SendTrace>[0], spans: readonly CallSpan[]): ReadableSpan[] => {
    const ended: ReadableSpan[] = [];
    const collect: SpanProcessor = {
      onStart: () => undefined,
      onEnd: (span) => void ended.push(span),
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    };
    const ids = traceIds(of);
    const tracer = new sdk.TracerProvider({
      resource,
      idGenerator: ids,
      spanProcessors: [collect],
    }).getTracer('callwright', VERSION);
    const contexts: ReturnType<typeof api.trace.setSpan>[] = [];
    for (const { name, parent, kind, startMs, endMs, error, attributes } of spans) {
      const within = parent === null ? undefined : contexts[parent];
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], startTime: hrTime(startMs), attributes: { ...attributes } },
        within ?? api.ROOT_CONTEXT,
      );
      contexts.push(api.trace.setSpan(api.ROOT_CONTEXT, span));
      if (error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR, message: error });
      span.end(hrTime(endMs));
    }
    return ended;
  };
  return { record, exporter };
}

const MS_IN_S = 1_000;
const NS_IN_MS = 1_000_000;

const hrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / MS_IN_S);
  return [seconds, Math.round((ms - seconds * MS_IN_S) * NS_IN_MS)];
};

const TRACE_ID_CHARS = 32;
const SPAN_ID_CHARS = 16;

/** The trace of a first attempt has the id of its call, without hyphens. */
function traceIds({ callId, attempt }: Parameters<SendTrace>[0]) {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const own = callId.replaceAll('-', '');
  const traceId = attempt <= 1 ? own : hash(`${own} ${attempt}`).slice(0, TRACE_ID_CHARS);
  let spans = 0;
  return {
    generateTraceId: () => traceId,
    generateSpanId: () => hash(`${traceId} ${(spans += 1)}`).slice(0, SPAN_ID_CHARS),
  };
}
