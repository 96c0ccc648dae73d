import Type from 'typebox'
import {
  address,
  anyTxid,
  chave,
  closed,
  cnpj,
  cpf,
  date,
  dateTime,
  endToEndId,
  listOf,
  location,
  oneOf,
  party,
  returnId,
  txid,
  upTo,
  valor,
  whole,
} from './fields.ts'

/** Charges (`/cob`, `/cobv`), PIX received (`/pix`) and their returns. */
export const statusOfCharge = oneOf(
  'ATIVA',
  'CONCLUIDA',
  'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  'REMOVIDA_PELO_PSP',
)
const removal = oneOf('REMOVIDA_PELO_USUARIO_RECEBEDOR')

const shown = {
  solicitacaoPagador: upTo(140),
  infoAdicionais: Type.Array(closed({ nome: upTo(50), valor: upTo(200) }), { maxItems: 50 }),
}
const chosenLocation = closed({ id: whole() })

const amountOfCob = { original: valor }
const cobOptional = { devedor: party(200), loc: chosenLocation, ...shown }
const modalidadeAlteracao = whole(0, 1)

/** `PUT /cob/{txid}`. */
export const cobRequest = closed(
  {
    calendario: closed({}, { expiracao: whole() }),
    valor: closed(amountOfCob, { modalidadeAlteracao }),
    chave,
  },
  cobOptional,
)

/** `PATCH /cob/{txid}`. */
export const cobRevision = closed(
  {},
  {
    calendario: closed({}, { expiracao: whole() }),
    valor: closed({}, { ...amountOfCob, modalidadeAlteracao }),
    chave,
    status: removal,
    ...cobOptional,
  },
)

const percentage = { modalidade: whole(1, 2), valorPerc: valor }
const surcharges = {
  multa: closed(percentage),
  juros: closed({ modalidade: whole(1, 8), valorPerc: valor }),
  abatimento: closed(percentage),
  desconto: Type.Union([
    closed({
      modalidade: whole(1, 6),
      descontoDataFixa: Type.Array(closed({ data: date, valorPerc: valor }), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
      }),
    }),
    closed({ modalidade: whole(1, 6), valorPerc: valor }),
  ]),
}
const debtorWithAddress = party(200, { email: Type.String(), ...address })
const dueCalendar = [{ dataDeVencimento: date }, { validadeAposVencimento: whole() }] as const

/** `PUT /cobv/{txid}`. */
export const cobvRequest = closed(
  {
    calendario: closed(...dueCalendar),
    devedor: debtorWithAddress,
    valor: closed({ original: valor }, surcharges),
    chave,
  },
  { loc: chosenLocation, ...shown },
)

/** `PATCH /cobv/{txid}`. */
export const cobvRevision = closed(
  {},
  {
    calendario: closed(...dueCalendar),
    devedor: debtorWithAddress,
    valor: closed({}, { original: valor, ...surcharges }),
    chave,
    loc: chosenLocation,
    status: removal,
    ...shown,
  },
)

const devolucaoOf = (...natures: readonly string[]) =>
  closed(
    {
      id: returnId,
      rtrId: endToEndId,
      valor,
      horario: closed({}, { solicitacao: dateTime, liquidacao: dateTime }),
      status: oneOf('EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO'),
    },
    { natureza: oneOf(...natures), descricao: upTo(140), motivo: upTo(140) },
  )

/** A return as `GET` and `PUT` of it show it. */
export const devolucao = devolucaoOf(
  'ORIGINAL',
  'RETIRADA',
  'MED_OPERACIONAL',
  'MED_FRAUDE',
  'MED_PIX_AUTOMATICO',
)

/** `PUT /pix/{e2eid}/devolucao/{id}`: the receiver can ask only for these. */
export const devolucaoRequest = closed(
  { valor },
  { natureza: oneOf('ORIGINAL', 'RETIRADA'), descricao: upTo(140) },
)

const component = closed({ valor })
const components = closed(
  { original: component },
  { juros: component, multa: component, abatimento: component, desconto: component },
)

/** What some banks add, which the document knows nothing of. */
const additionsOfBanks = {
  gnExtras: Type.Object({}),
  pagador: Type.Object({}),
  tipo: Type.String(),
  status: Type.String(),
}

/** A PIX as lists, inquiries and notices show it. */
export const pix = closed(
  { endToEndId, valor, horario: dateTime },
  {
    txid: anyTxid,
    chave,
    componentesValor: components,
    infoPagador: upTo(140),
    devolucoes: Type.Array(devolucao),
    ...additionsOfBanks,
  },
)

/** A PIX of Pix Automático: it cannot be returned as MED_OPERACIONAL. */
export const pixOfMandate = closed(
  { endToEndId, txid, valor, horario: dateTime },
  {
    chave,
    componentesValor: components,
    infoPagador: upTo(140),
    devolucoes: Type.Array(devolucaoOf('ORIGINAL', 'MED_PIX_AUTOMATICO', 'MED_FRAUDE')),
  },
)

const loc = closed({ id: whole(), location, tipoCob: oneOf('cob', 'cobv'), criacao: dateTime }, { txid })
const generated = {
  required: { txid, revisao: whole(), status: statusOfCharge, chave },
  optional: { loc, pixCopiaECola: upTo(512), ...shown },
}

const cobShape = (optional: Parameters<typeof closed>[1] = {}) =>
  closed(
    {
      ...generated.required,
      calendario: closed({ criacao: dateTime, expiracao: whole() }),
      valor: closed(amountOfCob, { modalidadeAlteracao }),
    },
    { ...generated.optional, devedor: party(200), location, ...optional },
  )

const receiver = Type.Union([
  closed({ cpf, nome: upTo(200), ...address }),
  closed({ cnpj, nome: upTo(200), ...address }, { nomeFantasia: upTo(200) }),
])

const cobvShape = (optional: Parameters<typeof closed>[1] = {}) =>
  closed(
    {
      ...generated.required,
      location,
      calendario: closed({ criacao: dateTime, dataDeVencimento: date, validadeAposVencimento: whole() }),
      valor: closed({ original: valor }, surcharges),
      devedor: debtorWithAddress,
      recebedor: receiver,
    },
    { ...generated.optional, ...optional },
  )

/** A charge as `PUT` and `PATCH` answer it, and as `GET` does, with what was paid. */
export const cobGenerated = cobShape()
export const cobComplete = cobShape({ pix: Type.Array(pix) })
export const cobvGenerated = cobvShape()
export const cobvComplete = cobvShape({ pix: Type.Array(pix) })

/** `GET /pix`. */
export const pixList = listOf('pix', pix, {
  txid: anyTxid,
  txIdPresente: Type.Boolean(),
  devolucaoPresente: Type.Boolean(),
  finalidadeMED: Type.Boolean(),
  cpf,
  cnpj,
})
