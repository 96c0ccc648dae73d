import type { Static } from 'typebox'
import type { PixKey } from '../../../engine/ledger/account.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { createdAt, enumeration, objectName, textOf } from '../fields.ts'

/** A key at which a company receives PIX. */
export const pixKey = namedObject('PixKey', 'A key to which the company receives.', {
  id: textOf('Its id.'),
  object: objectName('pix_key'),
  type: described(enumeration('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'), 'EVP is a random key.'),
  key: textOf('The key itself.'),
  status: described(enumeration('ACTIVE', 'PENDING', 'INACTIVE'), 'Whether it can receive.'),
  createdAt,
})

/** A key of a company. */
export const pixKeyView = ({ id, type, key, createdAtMs }: PixKey): Static<typeof pixKey> => ({
  id,
  object: 'pix_key',
  type,
  key,
  status: 'ACTIVE',
  createdAt: isoInstant(createdAtMs),
})
