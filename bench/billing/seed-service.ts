import { addDays, dateIn } from '../../engine/shared/calendar.ts'
import { newId } from '../../engine/shared/ids.ts'
import { toCents } from '../../engine/shared/money.ts'
import { cpf } from '../charge-body.ts'
import { openCompanyHost } from '../company-host.ts'
import { newRandom } from '../random.ts'
import type { FreshData } from '../service.ts'

const dayMs = 86_400_000

/**
 * Seeds `count` monthly card subscriptions of one company, each of another customer, made three days ago to start
 * yesterday: a service that starts now has to bill them all at once, as after a night without it.
 */
export const seedSubscriptions = async (fresh: FreshData, count: number, seed: number): Promise<void> => {
  const then = Date.now() - 3 * dayMs
  const startOn = addDays(dateIn('America/Sao_Paulo', Date.now()), -1)
  const random = newRandom(seed)
  const host = openCompanyHost(fresh, () => then)
  const { accountId, entropy } = host
  const by = { kind: 'SANDBOX', id: null } as const
  const planId = newId('pln', then, entropy)
  await host.tellAll([
    {
      type: 'CreatePlan',
      accountId,
      by,
      planId,
      terms: {
        name: 'Pro',
        amountCents: toCents(4900),
        interval: 'MONTH',
        intervalCount: 1,
        trialDays: 0,
        setupFeeCents: toCents(0),
        maxCycles: null,
        methods: ['CREDIT_CARD'],
        splitRuleId: null,
      },
      metadata: {},
    },
  ])
  const subscriptions = function* () {
    for (let n = 0; n < count; n++)
      yield {
        type: 'CreateSubscription',
        accountId,
        by,
        subscriptionId: newId('sub', then, entropy),
        planId,
        customerId: null,
        customer: {
          name: `Pessoa ${n}`,
          document: cpf(random),
          documentType: 'CPF',
          email: `pessoa${n}@example.com`,
          phone: null,
          address: null,
        },
        method: 'CREDIT_CARD',
        card: {
          token: 'tok_test_approved',
          tokenFingerprint: `card-${n}`,
          brand: 'VISA',
          last4: '4242',
          bin: null,
          holderName: null,
        },
        couponCode: null,
        startOn,
        metadata: {},
        missingProduct: null,
      } as const
  }
  await host.tellAll(subscriptions())
  await host.close()
}
