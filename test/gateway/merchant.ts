import { randomBytes } from 'node:crypto'
import { promised } from '../../engine/kernel/handler.ts'
import { newId } from '../../engine/shared/ids.ts'
import type { Pipeline } from '../../gateway/api/pipeline.ts'
import { systemEntropy } from '../../gateway/base/entropy.ts'
import { hashSecret, newSecret } from '../../gateway/identity/api-key.ts'
import { type HttpRequest, type HttpResponse, isStream } from '../../gateway/wire/transport.ts'
import { aCompany, aKey } from '../engine/companies/entries.ts'

const entropy = systemEntropy()

/** A company with a Sandbox key, and the key's secret. */
export const newMerchant = () => {
  const company = aCompany({ id: newId('cmp', Date.now(), entropy) })
  const secret = newSecret('SANDBOX', randomBytes)
  const key = aKey(1, {
    id: newId('key', Date.now(), entropy),
    companyId: company.id,
    secretHash: hashSecret(secret),
    scopes: ['charges.create', 'charges.read', 'transactions.read', 'transactions.export'],
  })
  return { company, key, secret }
}

/** A request as a transport hands it to a pipeline, and its answer, read to the end. */
export const callWith = async (
  secret: string,
  pipeline: Pipeline,
  verb: string,
  pathAndQuery: string,
  body?: object,
  idempotencyKey?: string,
) => {
  const [path, query = ''] = pathAndQuery.split('?')
  const request: HttpRequest = {
    verb,
    path: path!,
    query,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    repeatedHeaders: [],
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    remoteAddress: '192.0.2.1',
  }
  const response = await promised<HttpResponse>((to) => pipeline.handle(request, to))
  const { status, headers } = response
  return { status, headers, body: await bodyOf(response) }
}

const bodyOf = async ({ body, headers }: HttpResponse): Promise<any> => {
  if (headers['Content-Type']?.includes('json')) return JSON.parse(String(body))
  if (body !== null && isStream(body)) {
    const pieces: string[] = []
    for (let piece = await body.next(); piece !== null; piece = await body.next()) pieces.push(String(piece))
    return pieces
  }
  return body
}
