import type { PixKey } from '../../../engine/ledger/account.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { createdAtField, objectField, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** A key at which a company receives PIX. */
export const pixKey = resource<PixKey>('PixKey', 'A key to which the company receives.').with({
  id: [textOf('Its id.'), same],
  ...objectField('pix_key'),
  type: [described(choice('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'), 'EVP is a random key.'), same],
  key: [textOf('The key itself.'), same],
  status: [described(choice('ACTIVE', 'PENDING', 'INACTIVE'), 'Whether it can receive.'), () => 'ACTIVE'],
  createdAt: createdAtField,
})
