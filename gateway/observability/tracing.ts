import {
  type Attributes,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import type { Settings } from '../base/settings.ts'
import { version } from '../base/version.ts'

/** Makes OpenTelemetry spans and sends them over OTLP. Loaded only if an operator enables traces. */
export type Tracing = {
  readonly begin: (span: {
    /** One of a few names: ids and places belong in attributes. */
    readonly name: string
    readonly kind: keyof typeof SpanKind
    /** Without a parent, the span starts a trace. */
    readonly parent: Traceparent | null | undefined
    readonly attributes: Attributes
  }) => OpenSpan
  /** Sends finished spans, waiting only briefly for the receiver. */
  readonly close: () => Promise<void>
}

export type OpenSpan = {
  /** The parent for everything the span causes. If the span is not recorded, this is the span's own parent. */
  readonly traceparent: Traceparent | undefined
  /** Ends the span, with the kind of failure if it failed. */
  readonly end: (attributes: Attributes, failure?: string) => void
}

/**
 * Opens the tracing of one thread. The exporter reads destination, headers and certificates from the variables of the
 * OpenTelemetry specification, as it does the attributes of the service.
 */
export const openTracing = (options: {
  readonly settings: NonNullable<Settings['tracing']>
  readonly worker: number
  /** The node's name in a cluster. */
  readonly node: string | null
  readonly onTrouble: (message: string) => void
}): Tracing => {
  reportTroubles(options.onTrouble)
  const { sampler, ratio } = options.settings
  const resource = resourceFromAttributes({
    'service.name': 'payments',
    'service.version': version,
    ...(options.node !== null && { 'service.instance.id': options.node }),
  })
  const provider = new TracerProvider({
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplers[sampler](ratio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: bounds.spansEveryMs,
      }),
    ],
  })
  const tracer = provider.getTracer('payments', version)

  return {
    begin: ({ name, kind, parent, attributes }) => {
      const around = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT
      const span = tracer.startSpan(
        name,
        { kind: SpanKind[kind], attributes: { ...attributes, 'thread.id': options.worker } },
        around,
      )
      return {
        traceparent: span.isRecording() ? traceparentOf(span.spanContext()) : (parent ?? undefined),
        end: (attributes, failure) => {
          span.setAttributes(attributes)
          if (failure !== undefined) {
            span.setAttribute('error.type', failure)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    close: async () => {
      const closing = provider.shutdown().catch((error: Error) => options.onTrouble(error.message))
      await Promise.race([closing, delay(bounds.lastSpansMs)])
    },
  }
}

type SpanContext = { readonly traceId: string; readonly spanId: string; readonly traceFlags: TraceFlags }

const contextOf = (traceparent: Traceparent) => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
  traceFlags: Number.parseInt(traceparent.slice(53), 16) & TraceFlags.SAMPLED,
  isRemote: true,
})

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): Traceparent =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` as Traceparent

/** Named as in the OpenTelemetry specification (General SDK Configuration). */
const samplers: Readonly<Record<NonNullable<Settings['tracing']>['sampler'], (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/** Errors arrive as JSON with all their properties. */
const messageIn = (text: string): string => {
  try {
    return String((JSON.parse(text) as { readonly message?: unknown }).message ?? text)
  } catch {
    return text
  }
}

/** An unreachable receiver fails every batch, so it is reported only from time to time. */
const reportTroubles = (onTrouble: (message: string) => void): void => {
  let reportedAtMs = Number.NEGATIVE_INFINITY
  const report = (message: string): void => {
    if (performance.now() - reportedAtMs < bounds.tracingTroubleEveryMs) return
    reportedAtMs = performance.now()
    onTrouble(messageIn(message))
  }
  const ignore = (): void => undefined
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  )
}
