import { cpf } from './charge-body.ts'
import { inParallel } from './in-parallel.ts'
import { newRandom } from './random.ts'
import type { Company, Target } from './target.ts'

/** A company with a rule of twenty items: as many as a rule can have (payments-api, Limits). */
export type Marketplace = { readonly company: Company; readonly splitRuleId: string }

const itemsCount = 20
const atOnce = 8

/** Gives every company nineteen recipients and a rule that divides all of a payment between them and itself. */
export const createSplitRules = (
  { origin }: Target,
  companies: readonly Company[],
  seed: number,
): Promise<readonly Marketplace[]> => {
  const random = newRandom(seed + 2)
  const documents = companies.map(() => Array.from({ length: itemsCount - 1 }, () => cpf(random)))
  return inParallel(atOnce, companies, async (company, index) => {
    const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
      const answer = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${company.secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (answer.status !== 201) throw new Error(`${path} was answered with ${answer.status}`)
      return (await answer.json()) as { readonly id: string }
    }
    const bank = { bankCode: '341', branch: '1234', account: '56789-0' }
    const items: object[] = [{ recipientId: null, percentBps: 500, chargeFees: true }]
    for (const document of documents[index]!) {
      const { id } = await post('/v1/split/recipients', { name: 'Vendedor', document, ...bank })
      items.push({ recipientId: id, percentBps: 500 })
    }
    const { id: splitRuleId } = await post('/v1/split/rules', { name: 'bench', items })
    return { company, splitRuleId }
  })
}
