import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from './service.ts'

/** A span as OTLP writes it in JSON, its attributes as an object. */
export type Span = {
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  /** Absent where it begins a trace. */
  readonly parentSpanId?: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** 2 is an error. */
  readonly status: { readonly code?: number }
  readonly ms: number
}

/** A collector that keeps what it is sent by OTLP over HTTP, in JSON. */
export const startCollector = async (t: Scope) => {
  const spans: Span[] = []
  const resources: Readonly<Record<string, unknown>>[] = []
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers })
      for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString('utf8'))
        .resourceSpans) {
        resources.push(attributesOf(resource))
        for (const scope of scopeSpans) spans.push(...scope.spans.map(readSpan))
      }
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, resources, requests }
}

const readSpan = (span: any): Span => ({
  ...span,
  attributes: attributesOf(span),
  ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
})

const attributesOf = ({ attributes }: { attributes: { key: string; value: object }[] }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
