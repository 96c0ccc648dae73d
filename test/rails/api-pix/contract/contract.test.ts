import t from 'tap'
import { aCob, aCobv, bankFor, txidOf } from '../bank-for-test.ts'
import { officialContract } from './official.ts'
import { apiPixContract, type RailExchange } from './validator.ts'

const contract = apiPixContract()
const exchange = (
  verb: string,
  path: string,
  sent?: unknown,
  query: Record<string, string> = {},
): RailExchange => ({
  verb,
  path,
  query,
  sent,
  status: 200,
  media: 'application/json',
  answer: undefined,
})

/** Each is a mistake that an adapter could make, and that some bank would let through. */
const mistakes: Readonly<Record<string, RailExchange>> = {
  'an amount in centavos': exchange('PUT', `/cob/${txidOf(1)}`, aCob('1234')),
  'an amount as a number': exchange('PUT', `/cob/${txidOf(1)}`, { ...aCob(), valor: { original: 12.34 } }),
  'a txid with a hyphen': exchange('PUT', `/cob/${'a'.repeat(20)}-${'b'.repeat(10)}`, aCob()),
  'a txid that is too short': exchange('PUT', `/cob/${'a'.repeat(25)}`, aCob()),
  'a misspelt field': exchange('PUT', `/cob/${txidOf(1)}`, aCob('1.00', { solicitacaoPagadr: 'x' })),
  'no calendar': exchange('PUT', `/cob/${txidOf(1)}`, { valor: { original: '1.00' }, chave: 'a' }),
  'a text that is too long': exchange(
    'PUT',
    `/cob/${txidOf(1)}`,
    aCob('1.00', { solicitacaoPagador: 'x'.repeat(141) }),
  ),
  'a debtor with both documents': exchange(
    'PUT',
    `/cob/${txidOf(1)}`,
    aCob('1.00', { devedor: { nome: 'a', cpf: '52998224725', cnpj: '11222333000181' } }),
  ),
  'a document with a mask': exchange(
    'PUT',
    `/cob/${txidOf(1)}`,
    aCob('1.00', { devedor: { nome: 'a', cpf: '529.982.247-25' } }),
  ),
  'a due date that is none': exchange('PUT', `/cobv/${txidOf(1)}`, aCobv('2026-02-30')),
  'no debtor where there is a due date': exchange('PUT', `/cobv/${txidOf(1)}`, {
    calendario: { dataDeVencimento: '2026-12-01' },
    valor: { original: '1.00' },
    chave: 'a',
  }),
  'another status': exchange('PATCH', `/cob/${txidOf(1)}`, { status: 'REMOVIDA_PELO_PSP' }),
  'a return of a nature of the bank': exchange('PUT', `/pix/${'E'.repeat(32)}/devolucao/a`, {
    valor: '1.00',
    natureza: 'MED_FRAUDE',
  }),
  'an id of a return with a hyphen': exchange('PUT', `/pix/${'E'.repeat(32)}/devolucao/a-b`, {
    valor: '1.00',
  }),
  'a window without its end': exchange('GET', '/pix', undefined, { inicio: '2026-11-25T00:00:00Z' }),
  'a time without an offset': exchange('GET', '/pix', undefined, {
    inicio: '2026-11-25T00:00:00',
    fim: '2026-11-26T00:00:00Z',
  }),
  'pages of too many': exchange('GET', '/pix', undefined, {
    inicio: '2026-11-25T00:00:00Z',
    fim: '2026-11-26T00:00:00Z',
    'paginacao.itensPorPagina': '1001',
  }),
  'a filter that does not exist': exchange('GET', '/pix', undefined, {
    inicio: '2026-11-25T00:00:00Z',
    fim: '2026-11-26T00:00:00Z',
    devolucao: 'true',
  }),
  'a body where none is': exchange('POST', '/locrec', {}),
  'a mandate with both amounts': exchange('POST', '/rec', {
    ...aMandate(),
    valor: { valorRec: '1.00', valorMinimoRecebedor: '1.00' },
  }),
  'a contract that is too long': exchange('POST', '/rec', {
    ...aMandate(),
    vinculo: { contrato: 'x'.repeat(36), devedor: { cpf: '52998224725', nome: 'a' } },
  }),
  'a charge of a mandate without the account': exchange('PUT', `/cobr/${txidOf(1)}`, {
    idRec: 'R'.repeat(29),
    calendario: { dataDeVencimento: '2026-12-01' },
    valor: { original: '1.00' },
    ajusteDiaUtil: true,
  }),
  'an operation that does not exist': exchange('DELETE', `/cob/${txidOf(1)}`),
}

for (const [what, mistake] of Object.entries(mistakes))
  t.test(`${what} is found`, async (t) => {
    t.not(contract.ofRequest(mistake).length, 0)
  })

const document = process.env.API_PIX_DOCUMENT

t.test(
  'the official document finds the same, but for what it leaves open',
  { skip: document === undefined ? 'API_PIX_DOCUMENT names no file' : false },
  async (t) => {
    const official = officialContract(document!)
    const open = Object.keys(mistakes).filter((what) => official.ofRequest(mistakes[what]!).length === 0)
    t.strictSame(open, [
      // Objects are open, formats only named, and patterns not anchored.
      'a misspelt field',
      'a due date that is none',
      'an id of a return with a hyphen',
      'a time without an offset',
      // These are forbidden in its prose, or not at all.
      'a body where none is',
      'a mandate with both amounts',
    ])
  },
)

t.test('what is right is let through', async (t) => {
  t.strictSame(contract.ofRequest(exchange('PUT', `/cob/${txidOf(1)}`, aCob())), [])
  t.strictSame(contract.ofRequest(exchange('PUT', `/cobv/${txidOf(1)}`, aCobv('2026-12-01'))), [])
  t.strictSame(contract.ofRequest(exchange('POST', '/rec', aMandate())), [])
  t.strictSame(contract.ofRequest(exchange('POST', '/locrec')), [])
})

t.test('answers are held as well', async (t) => {
  const bank = await bankFor(t)
  const { body } = await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
  const right = { ...exchange('PUT', `/cob/${txidOf(1)}`), status: 201, answer: body }
  const wrongs: Readonly<Record<string, Partial<RailExchange>>> = {
    'a status that does not exist': { answer: { ...body, status: 'PAGA' } },
    'no revision': { answer: { ...body, revisao: undefined } },
    'an amount of three decimals': { answer: { ...body, valor: { original: '1.000' } } },
    '200 for what is created': { status: 200 },
    HTML: { media: 'text/html' },
    'an error without its type': { status: 400, media: 'application/problem+json', answer: { status: 400 } },
  }
  t.strictSame(contract.ofAnswer(right), [])
  for (const [what, wrong] of Object.entries(wrongs))
    t.not(contract.ofAnswer(JSON.parse(JSON.stringify({ ...right, ...wrong }))).length, 0, what)
})

t.test('a test that asks for what the document forbids fails', async (t) => {
  const heard: string[] = []
  const bank = await bankFor({
    teardown: (end) => t.teardown(end),
    fail: (what) => void heard.push(String(what)),
  })
  const { status, body } = await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob('1234'))
  t.equal(status, 400)
  t.equal(body.type, 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida')
  t.equal(heard.length, 1)
  t.match(heard[0], /valor\/original must match pattern/)
  bank.expectViolation(/CobOperacaoInvalida|pattern/)
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob('1234'))
  t.equal(heard.length, 1)
})

function aMandate(): object {
  return {
    vinculo: { contrato: '1', devedor: { cpf: '52998224725', nome: 'Maria' } },
    calendario: { dataInicial: '2026-12-01', periodicidade: 'MENSAL' },
    politicaRetentativa: 'NAO_PERMITE',
  }
}
