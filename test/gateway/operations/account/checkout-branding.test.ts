import t from 'tap'
import type { DirectoryFact } from '../../../../engine/companies/directory.ts'
import { newPerson, refusal } from '../operator.ts'

const owner = { SANDBOX: null, PRODUCTION: 'OWNER' } as const
const changesIn = (facts: readonly DirectoryFact[]) =>
  facts.findLast(({ type }) => type === 'CompanyChanged')!.audit!.changes
const plan = `pln_${'0'.repeat(25)}1`

t.test('a company says how its pages look, member by member, and every change is recorded', async (t) => {
  const { does, facts, company } = await newPerson(owner)
  const branding = {
    displayName: ' Café Azul ☕ ',
    accent: '#1F7A5A',
    supportEmail: 'ajuda@AZUL.com.br',
    supportPhone: '(81) 98765-4321',
    termsUrl: 'https://azul.com.br/termos',
    privacyUrl: 'https://azul.com.br/privacidade',
    thankYouText: 'Obrigado!\nSeu café sai hoje.',
    portal: { cancel: true, changePlan: [plan, plan] },
  }
  const shown = {
    object: 'checkout_branding',
    displayName: 'Café Azul ☕',
    legalName: 'Loja Azul',
    document: company.document,
    accent: '#1f7a5a',
    supportEmail: 'ajuda@azul.com.br',
    supportPhone: '81987654321',
    thankYouText: 'Obrigado!\nSeu café sai hoje.',
    portal: { cancel: true, changeCard: true, changePlan: [plan] },
  }
  t.match(await does('company checkout', branding), shown)
  t.match(
    changesIn(facts).find(({ field }) => field === 'accent'),
    { before: null, after: '#1f7a5a' },
  )
  const count = facts.length
  await does('company checkout', branding)
  await does('company checkout')
  t.equal(facts.length, count, 'what is so already is no fact')
  t.match(await does('company checkout', { thankYouText: null, accent: '', portal: { changeCard: false } }), {
    ...shown,
    thankYouText: null,
    accent: null,
    portal: { cancel: true, changeCard: false, changePlan: [plan] },
  })
})

t.test('what would deceive a payer, or cannot be shown, is refused', async (t) => {
  const { does } = await newPerson(owner)
  for (const [field, value] of [
    ['displayName', 'x'.repeat(41)],
    ['displayName', 'Loja\nAzul'],
    ['displayName', 'Loja \u202elluz'],
    ['displayName', 'Loja\u0007'],
    ['displayName', 7],
    ['accent', 'green'],
    ['accent', '#fff'],
    ['accent', 'url(#1f7a5a)'],
    ['supportEmail', 'nobody'],
    ['supportPhone', '12'],
    ['termsUrl', 'http://azul.com.br'],
    ['termsUrl', 'javascript:alert(1)'],
    ['privacyUrl', 'https://me:secret@azul.com.br'],
    ['privacyUrl', `https://azul.com.br/${'x'.repeat(2048)}`],
    ['thankYouText', 'x'.repeat(281)],
    ['thankYouText', 'a\u0000b'],
  ] as const) {
    const refused = await refusal(does('company checkout', { [field]: value }))
    t.match(refused, { code: 'VALIDATION_ERROR', extra: { errors: [{ field }] } }, `${field} ${value}`)
  }
  for (const portal of [
    { cancel: 'maybe' },
    { changePlan: ['lnk_1'] },
    { changePlan: Array.from({ length: 21 }, (_, n) => `pln_${String(n).padStart(26, '0')}`) },
    { refund: true },
    'all',
  ])
    t.match(await refusal(does('company checkout', { portal })), { code: 'VALIDATION_ERROR' })
  t.match(await refusal(does('company checkout', { name: 'Banco' })), { code: 'VALIDATION_ERROR' })
})

t.test('a company sets limits of cards lower, one by one, and its accounts keep them', async (t) => {
  const { does, facts, world } = await newPerson(owner)
  const usual = {
    perSession: null,
    perAddress: null,
    perNetwork: null,
    perBin: null,
    declinesPerHour: null,
  }
  t.match(await does('company checkout', { cardLimits: { perAddress: 2, perBin: '10' } }), {
    cardLimits: { ...usual, perAddress: 2, perBin: 10 },
  })
  t.match(world.account().profile.cardLimits, { ...usual, perAddress: 2, perBin: 10 })
  t.strictSame(changesIn(facts), [
    { field: 'cardLimits.perAddress', before: null, after: '2' },
    { field: 'cardLimits.perBin', before: null, after: '10' },
  ])
  t.match(await does('company checkout', { cardLimits: { perAddress: '' }, accent: '#1f7a5a' }), {
    accent: '#1f7a5a',
    cardLimits: { ...usual, perBin: 10 },
  })
  t.match(await does('company checkout', { cardLimits: null }), { accent: '#1f7a5a', cardLimits: usual })
  t.equal(world.account().profile.cardLimits, undefined)
  for (const [name, value] of [
    ['perSession', 6],
    ['perAddress', 0],
    ['perNetwork', 21],
    ['perBin', '2.5'],
    ['declinesPerHour', -1],
    ['declinesPerHour', 101],
  ] as const)
    t.match(
      await refusal(does('company checkout', { cardLimits: { [name]: value } })),
      { code: 'VALIDATION_ERROR', extra: { errors: [{ field: `cardLimits.${name}` }] } },
      `${name} ${value}`,
    )
  for (const wrong of [{ perHour: 1 }, 'all'])
    t.match(await refusal(does('company checkout', { cardLimits: wrong })), { code: 'VALIDATION_ERROR' })
})
