import Type, { type Static } from 'typebox'
import type { ChargeDetails, CheckoutDetails } from '../../../engine/payments/transaction/details.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { bounds } from '../../base/bounds.ts'
import { described } from '../../schema/named-schema.ts'
import { textUpTo as bounded, metadata } from '../../schema/schema.ts'
import type { CsvCells } from '../csv-format.ts'
import { nonNegativeAmountOf, nullableField, nullableText, ownMetadata, textOf } from '../fields.ts'
import { fieldsOf, part, same } from '../resource.ts'

/** The details that a body may send with a charge of any method. */
export const detailsInput = {
  description: Type.Optional(bounded(bounds.descriptionCharsMax, 'Shown to the payer.')),
  externalId: Type.Optional(bounded(bounds.externalIdCharsMax, 'Your own identifier of the order.')),
  metadata: Type.Optional(metadata),
}

/** A reference, which only some charges take. */
export const referenceInput = Type.Optional(bounded(bounds.referenceCharsMax, 'A free reference.'))

export type DetailsBody = Partial<
  Static<Type.TObject<typeof detailsInput & { readonly reference: typeof referenceInput }>>
>

/** The details as they are kept: texts without spaces around them, metadata in the order of its keys. */
export const readDetails = ({
  description,
  reference,
  externalId,
  metadata,
}: DetailsBody): ChargeDetails => ({
  description: description?.trim() ?? null,
  reference: reference?.trim() ?? null,
  externalId: externalId?.trim() ?? null,
  metadata: sortedMetadata(metadata ?? {}),
  checkout: null,
})

const checkoutDetails = part<CheckoutDetails>().with({
  sessionId: [textOf('The session of the page.'), same],
  linkId: [nullableField(Type.String(), 'The payment link that opened it; null without one.'), same],
  interestAmount: [
    nonNegativeAmountOf('What the payer pays for instalments, within `amount`.'),
    ({ interestCents }) => String(interestCents),
  ],
})

/** The details as a transaction shows them: unchanged. */
export const detailsFields = fieldsOf<Detailed>().with({
  description: [described(nullableText, 'As it was sent.'), ({ details }) => details.description],
  reference: [described(nullableText, 'As it was sent.'), ({ details }) => details.reference],
  externalId: [
    described(nullableText, 'Your own identifier of the order. It need not be unique.'),
    ({ details }) => details.externalId,
  ],
  metadata: [ownMetadata, ({ details }) => details.metadata],
  checkout: [
    nullableField(
      checkoutDetails.schema,
      'The page where the payer asked for it; null for a charge that you made.',
    ),
    ({ details: { checkout } }) => checkout && checkoutDetails.view(checkout),
  ],
}) satisfies Record<keyof ChargeDetails, unknown>

/** The details that events show as well (decisions, section 27). */
export const detailsInEvents = ['externalId', 'reference', 'metadata', 'checkout'] as const

/** The details that exports show as well, as cells (decisions, section 26). */
export const detailsColumns = {
  externalId: ({ details }: Detailed, { code }: CsvCells) => code(details.externalId),
  reference: ({ details }: Detailed, { code }: CsvCells) => code(details.reference),
  description: ({ details }: Detailed, { text }: CsvCells) => text(details.description),
}

type Detailed = { readonly details: ChargeDetails }
