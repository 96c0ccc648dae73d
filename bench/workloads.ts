import { chargeBody } from './charge-body.ts'
import { integerBetween, newRandom, oneOf, type Random, shuffled } from './random.ts'
import type { Marketplace } from './split-rules.ts'
import type { Company } from './target.ts'

export const workloadNames = ['create', 'create-one', 'split', 'card', 'split-card', 'read', 'mixed'] as const
export type WorkloadName = (typeof workloadNames)[number]

/** A request to send, many times: where it has `markHolder` it gets a text of that length that was never sent before. */
export type LoadRequest = {
  readonly verb: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export const markHolder = '#mark0123456789#'

/** A charge that was created before, for workloads that read. */
export type KnownCharge = { readonly id: string; readonly secret: string }

/** The same seed gives the same requests in the same order. */
export const requestsOf = (
  workload: WorkloadName,
  { companies, charges, marketplaces, seed, count }: Ingredients,
): readonly LoadRequest[] => {
  const random = newRandom(seed)
  const times = (share: number, make: () => LoadRequest): LoadRequest[] =>
    Array.from({ length: Math.ceil(share * count) }, make)
  const create = (): LoadRequest => createRequest(random, oneOf(random, companies))
  switch (workload) {
    case 'create':
      return times(1, create)
    case 'create-one':
      return times(1, () => createRequest(random, companies[0]!))
    case 'split':
      return times(1, () => {
        const { company, splitRuleId } = oneOf(random, marketplaces)
        return withRule(createRequest(random, company), splitRuleId)
      })
    case 'card':
      return times(1, () => cardRequest(random, oneOf(random, companies)))
    case 'split-card':
      return times(1, () => {
        const { company, splitRuleId } = oneOf(random, marketplaces)
        return withRule(cardRequest(random, company), splitRuleId)
      })
    case 'read':
      return shuffled(random, charges).map(readRequest)
    case 'mixed':
      return shuffled(random, [
        ...times(0.45, create),
        ...times(0.5, () => readRequest(oneOf(random, charges))),
        ...times(0.05, () => listRequest(oneOf(random, companies))),
      ])
    default:
      return workload satisfies never
  }
}

type Ingredients = {
  readonly companies: readonly Company[]
  readonly charges: readonly KnownCharge[]
  /** Empty unless the workload divides charges. */
  readonly marketplaces: readonly Marketplace[]
  readonly seed: number
  readonly count: number
}

/** Whether a workload divides its charges by a rule. */
export const divides = (workload: WorkloadName): boolean => workload === 'split' || workload === 'split-card'

/** Whether a workload needs charges that exist. */
export const reads = (workload: WorkloadName): boolean => workload === 'read' || workload === 'mixed'

export const createRequest = (random: Random, company: Company): LoadRequest =>
  post(company, '/v1/pix/charges', chargeBody(random, `pedido-${markHolder}`))

/** Authorized and captured by the Sandbox's acquirer, in one to six instalments. */
export const cardRequest = (random: Random, company: Company): LoadRequest => {
  const { expiresInSeconds: _, ...charge } = chargeBody(random, `pedido-${markHolder}`)
  const card = { token: 'tok_test_approved', brand: oneOf(random, ['VISA', 'ELO']), last4: '4242' }
  const body = { ...charge, installments: integerBetween(random, 1, 6), card }
  return post(company, '/v1/card-payments', body)
}

const withRule = (request: LoadRequest, splitRuleId: string): LoadRequest => ({
  ...request,
  body: JSON.stringify({ ...JSON.parse(request.body!), splitRuleId }),
})

const readRequest = ({ id, secret }: KnownCharge): LoadRequest => get(`/v1/pix/charges/${id}`, secret)
const listRequest = ({ secret }: Company): LoadRequest => get('/v1/pix/charges?pageSize=25', secret)

export const get = (path: string, secret: string): LoadRequest => ({
  verb: 'GET',
  path,
  headers: { Authorization: `Bearer ${secret}` },
  body: null,
})

export const post = ({ secret }: Company, path: string, body: object): LoadRequest => ({
  verb: 'POST',
  path,
  headers: {
    Authorization: `Bearer ${secret}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': `pedido-${markHolder}`,
  },
  body: JSON.stringify(body),
})
