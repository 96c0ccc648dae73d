import { cpf } from '../charge-body.ts'
import { integerBetween, newRandom, oneOf, type Random } from '../random.ts'

/** A transaction of a company that has existed for a year, as both sides store it. */
export type SeedRow = {
  readonly method: 'PIX' | 'CREDIT_CARD' | 'BOLETO'
  readonly status: 'PENDING' | 'APPROVED' | 'EXPIRED' | 'CANCELLED' | 'REFUNDED'
  readonly amountCents: number
  readonly createdAtMs: number
  readonly externalId: string
  readonly customer: { readonly name: string; readonly document: string; readonly email: string }
}

const yearMs = 365 * 86_400_000
/** The number of people who pay, most of them more than once. */
const payers = 50_000

/** The same seed gives the same rows, oldest first, ending at `endMs`. */
export const seedRows = function* (count: number, seed: number, endMs: number): Generator<SeedRow> {
  const random = newRandom(seed)
  const people = Array.from({ length: Math.min(payers, Math.ceil(count / 4)) }, (_, n) => person(random, n))
  for (let n = 0; n < count; n++) {
    yield {
      method: weighted(random, [
        ['PIX', 70],
        ['CREDIT_CARD', 20],
        ['BOLETO', 10],
      ]),
      status: weighted(random, [
        ['APPROVED', 68],
        ['PENDING', 10],
        ['EXPIRED', 14],
        ['CANCELLED', 5],
        ['REFUNDED', 3],
      ]),
      amountCents: integerBetween(random, 100, 500_000),
      createdAtMs: Math.floor(endMs - yearMs + (n * yearMs) / count),
      externalId: `pedido-${n}`,
      customer: oneOf(random, people),
    }
  }
}

const person = (random: Random, n: number) => ({
  name: `${oneOf(random, ['Ana', 'Beatriz', 'Caio', 'Débora', 'João'])} ${oneOf(random, ['Almeida', 'Souza', 'Gonçalves', 'Lima'])} ${n}`,
  document: cpf(random),
  email: `pessoa${n}@example.com`,
})

const weighted = <Word extends string>(random: Random, words: readonly (readonly [Word, number])[]): Word => {
  let left = random() * words.reduce((sum, [, weight]) => sum + weight, 0)
  return words.find(([, weight]) => {
    left -= weight
    return left < 0
  })![0]
}

/** A filter of a list, as the service's query and as the peer's condition. */
export type ListFilter = { readonly title: string; readonly query: string; readonly where: string }

/** The filters that a dashboard uses. */
export const listFilters = (endMs: number): readonly ListFilter[] => {
  const day = (daysBack: number) => new Date(endMs - daysBack * 86_400_000).toISOString().slice(0, 10)
  return [
    {
      title: 'status and method',
      query: 'status=APPROVED&method=PIX',
      where: `status = 'APPROVED' AND method = 'PIX'`,
    },
    { title: 'no filter', query: '', where: 'true' },
    {
      title: 'a quarter, approved',
      query: `status=APPROVED&from=${day(180)}&to=${day(90)}`,
      where: `status = 'APPROVED' AND created_at >= '${day(180)}T03:00:00Z' AND created_at < '${day(89)}T03:00:00Z'`,
    },
    {
      title: 'amounts of a card',
      query: 'method=CREDIT_CARD&minAmount=100000&maxAmount=200000',
      where: `method = 'CREDIT_CARD' AND amount BETWEEN 100000 AND 200000`,
    },
    {
      title: 'one payer by e-mail',
      query: 'q=pessoa77@example.com',
      where: `(email ILIKE '%pessoa77@example.com%' OR name ILIKE '%pessoa77@example.com%')`,
    },
  ]
}
