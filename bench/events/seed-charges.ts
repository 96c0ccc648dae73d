import { newId } from '../../engine/shared/ids.ts'
import { toCents } from '../../engine/shared/money.ts'
import { chargeBody } from '../charge-body.ts'
import { openCompanyHost } from '../company-host.ts'
import { newRandom } from '../random.ts'
import type { FreshData } from '../service.ts'
import type { Company } from '../target.ts'

/**
 * Seeds `countEach` PIX charges of each company, made in one past moment: they expire together, after thirty days.
 */
export const seedCharges = async (
  fresh: FreshData,
  companies: readonly Company[],
  countEach: number,
  seed: number,
  agoMs: number,
): Promise<void> => {
  const thenMs = Date.now() - agoMs
  const random = newRandom(seed)
  for (const company of companies) {
    const { accountId, entropy, tellAll, close } = openCompanyHost(fresh, () => thenMs, company)
    const charges = function* () {
      for (let n = 0; n < countEach; n++) {
        const { amount, description, customer, externalId, metadata } = chargeBody(random, `pedido-${n}`)
        yield {
          type: 'CreateCharge',
          accountId,
          by: { kind: 'SANDBOX', id: null },
          transactionId: newId('txn', thenMs, entropy),
          origin: 'API',
          amountCents: toCents(amount),
          details: { description, reference: null, externalId, metadata, checkout: null },
          customer: { ...customer, documentType: 'CPF', phone: null, address: null },
          customerId: null,
          collects: null,
          splitRuleId: null,
          terms: { method: 'PIX', expiresInSeconds: 30 * 86_400, due: null },
        } as const
      }
    }
    await tellAll(charges())
    await close()
  }
}
