import { gzipSync } from 'node:zlib'
import { isGone, type Waiter } from '../../engine/kernel/handler.ts'
import { type HttpRequest, type HttpResponse, isStream } from '../wire/transport.ts'

/** The content codings that this service writes. */
type Coding = 'br' | 'gzip'

/** Whether a client takes a coding: it names it, or `*`, with no weight of 0 (RFC 9110, 12.5.3). */
export const accepts = (accepted: string | undefined, coding: Coding): boolean => {
  if (accepted === undefined) return false
  const weights = new Map(accepted.toLowerCase().split(',').map(weightOf))
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0
}

const weightOf = (member: string): readonly [coding: string, weight: number] => {
  const [coding = '', ...parameters] = member.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
}

/** A body in the codings in which it is kept; the plain one is made where neither is accepted. */
export type Coded = {
  readonly br?: Buffer
  readonly gzip: Buffer
  readonly plain: () => string | Buffer
}

/** A response whose body has the best coding that the client takes. */
export const codedFor = (
  accepted: string | undefined,
  coded: Coded,
  answer: (body: string | Buffer) => HttpResponse,
): HttpResponse => {
  const coding = (['br', 'gzip'] as const).find((one) => coded[one] !== undefined && accepts(accepted, one))
  const response = answer(coding === undefined ? coded.plain() : coded[coding]!)
  const encoding = coding === undefined ? {} : { 'Content-Encoding': coding }
  return { ...response, headers: { ...response.headers, Vary: 'Accept-Encoding', ...encoding } }
}

/**
 * Packs what a GET is answered with, where the client takes gzip and the text is long enough to gain by it. Answers of
 * other methods are short, and some hold secrets, whose length must not depend on what a caller can choose (BREACH). Those who send no
 * `Accept-Encoding` pay nothing.
 */
export const packing = (request: HttpRequest, to: Waiter<HttpResponse>): Waiter<HttpResponse> => {
  if (request.verb !== 'GET' || !accepts(request.headers['accept-encoding'], 'gzip')) return to
  return {
    resolve: (response) => to.resolve(packed(response)),
    reject: (error) => to.reject(error),
    hasLeft: () => isGone(to),
  }
}

const packed = (response: HttpResponse): HttpResponse => {
  const { headers, body } = response
  if (body === null || isStream(body) || body.length < packedFromBytes) return response
  if (headers['Content-Encoding'] !== undefined || !isText.test(headers['Content-Type'] ?? ''))
    return response
  return {
    ...response,
    headers: {
      ...headers,
      Vary: headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`,
      'Content-Encoding': 'gzip',
    },
    body: gzipSync(body, { level: 3 }),
  }
}

const isText = /^(text\/|application\/(problem\+)?json|image\/svg\+xml)/

/** About as much as one packet carries: a shorter answer arrives no sooner when it is packed. */
const packedFromBytes = 1024
