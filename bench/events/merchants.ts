import { createHmac } from 'node:crypto'
import type { Cleanup } from '../cleanup.ts'
import type { Options } from '../options.ts'
import { newRandom } from '../random.ts'
import { clockBehind, createCompanies, type FreshData, openService, operate } from '../service.ts'
import type { Report } from './report.ts'

/** Companies that listen: each has an endpoint for every requested URL. */
export type Merchants = FreshData & {
  /** How many of a report's samples were not signed with the secret of their endpoint. */
  readonly badSignatures: (report: Report) => number
}

export const openMerchants = async (
  cleanup: Cleanup,
  { workers, seed }: Options,
  count: number,
  urlsOf: (companyId: string, index: number) => readonly string[],
): Promise<Merchants> => {
  const fresh = await createCompanies(cleanup, {
    count,
    workers,
    random: newRandom(seed),
    scopes: 'charges.create,charges.read',
    daysAgo,
  })
  const secrets = new Map<string, string>()
  const { child } = await openService(cleanup, fresh.path, workers, {}, clockBehind(daysAgo))
  for (const [index, { id }] of fresh.companies.entries()) {
    for (const url of urlsOf(id, index)) {
      const endpoint = { company: id, environment: 'sandbox', url }
      const { secret } = await operate(fresh.path, 'webhooks create', endpoint)
      secrets.set(new URL(url).pathname, secret!)
    }
  }
  await child.stop()
  return {
    ...fresh,
    badSignatures: ({ samples }) =>
      samples.filter(({ path, signature, body }) => !isSigned(secrets.get(path)!, signature, body)).length,
  }
}

/** Seeded charges are younger than their company, and older than events published again to a new stream. */
const daysAgo = 1

/** Checks a signature as the specification has receivers do, but without the age. */
const isSigned = (secret: string, signature: string, body: string): boolean => {
  const [, time, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  return createHmac('sha256', secret).update(`${time}.${body}`).digest('hex') === hex
}
