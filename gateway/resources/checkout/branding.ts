import Type from 'typebox'
import type { Portal } from '../../../engine/companies/checkout-branding.ts'
import type { Company } from '../../../engine/companies/company.ts'
import { type CardLimitName, type CardLimits, usualCardLimits } from '../../../engine/shared/card-limits.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import { described } from '../../schema/named-schema.ts'
import { logoField, logoUri } from '../account/company.ts'
import { booleanOf, count, listOf, nullableField, nullableText, objectField, textOf } from '../fields.ts'
import { phoneField } from '../payments/customer.ts'
import { part, resource, same } from '../resource.ts'

const portal = part<Portal>().with({
  cancel: [booleanOf('Whether payers can cancel their subscriptions.'), same],
  changeCard: [booleanOf('Whether they can change the card.'), same],
  changePlan: [
    listOf(Type.String(), 'The plans that they can change to; empty for none.'),
    ({ changePlan }) => [...changePlan],
  ],
})

const limit = (name: CardLimitName, description: string) =>
  nullableField(count(description), `${description} null for the usual ${usualCardLimits[name]}.`)

const cardLimits = part<CardLimits>().with({
  perSession: [limit('perSession', 'Cards tried in one session.'), same],
  perAddress: [limit('perAddress', 'Cards tried from one IP address at one link, within an hour.'), same],
  perNetwork: [
    limit('perNetwork', 'Cards tried from one network (/24, /48) at one link, within an hour.'),
    same,
  ],
  perBin: [limit('perBin', 'Declined cards of one issuer (BIN) at one link, within an hour.'), same],
  declinesPerHour: [limit('declinesPerHour', 'Declined cards at all your pages, within an hour.'), same],
})

/** What the pages show of the company where payers pay (checkout, section 4). */
export const checkoutBranding = resource<Company>(
  'CheckoutBranding',
  'How the pages look where payers pay, and what payers can do in the portal.',
).with({
  ...objectField('checkout_branding'),
  displayName: [
    described(nullableText, 'The name at the head of the pages; null for the trade name or the legal name.'),
    ({ checkout }) => checkout.displayName,
  ],
  legalName: [textOf('Razão social. It is always shown.'), ({ name }) => name],
  document: [textOf('CNPJ without punctuation. It is always shown.'), same],
  logo: [logoField, ({ logo }) => logoUri(logo)],
  accent: [
    described(
      nullableText,
      'The colour of buttons, `#rrggbb`. Where text on it could not be read, the pages use a darker or lighter shade.',
    ),
    ({ checkout }) => checkout.accent,
  ],
  supportEmail: [
    described(nullableText, 'Where payers write to.'),
    ({ checkout }) => shownEmailOrNull(checkout.supportEmail),
  ],
  supportPhone: [phoneField, ({ checkout }) => checkout.supportPhone],
  termsUrl: [described(nullableText, 'Terms of sale.'), ({ checkout }) => checkout.termsUrl],
  privacyUrl: [described(nullableText, 'Privacy policy.'), ({ checkout }) => checkout.privacyUrl],
  thankYouText: [
    described(nullableText, 'What a payer reads who has paid.'),
    ({ checkout }) => checkout.thankYouText,
  ],
  portal: [
    described(portal.schema, 'What payers can do with their subscriptions by themselves.'),
    ({ checkout }) => portal.view(checkout.portal),
  ],
  cardLimits: [
    described(
      cardLimits.schema,
      'Limits against those who test stolen cards: after so many, the pages take no more cards for a while, and PIX goes on. Payers are not told.',
    ),
    ({ checkout }) => cardLimits.view(checkout.cardLimits),
  ],
})
