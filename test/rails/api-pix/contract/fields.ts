import Type, { type TProperties, type TSchema } from 'typebox'

/**
 * The fields of API Pix 2.9.0 and 2.10.0 as its official document limits them (patterns, lengths, names); written here in our own
 * hand, see the README. Objects are closed: a misspelt field of a request would otherwise be ignored, as banks do.
 */
export const closed = (required: TProperties, optional: TProperties = {}) =>
  Type.Object(
    {
      ...required,
      ...Object.fromEntries(Object.entries(optional).map(([key, schema]) => [key, Type.Optional(schema)])),
    },
    { additionalProperties: false },
  )

/** One of some names. */
export const oneOf = (...names: readonly string[]) => Type.Unsafe<string>({ enum: names })

const matching = (pattern: string) => Type.String({ pattern: `^${pattern}$` })
export const upTo = (maxLength: number) => Type.String({ maxLength })

export const txid = matching('[a-zA-Z0-9]{26,35}')
/** A static QR code may carry a shorter one, and a PIX of it then has it. */
export const anyTxid = matching('[a-zA-Z0-9]{1,35}')
export const endToEndId = matching('[a-zA-Z0-9]{32}')
export const returnId = matching('[a-zA-Z0-9]{1,35}')
export const recurrenceId = matching('[a-zA-Z0-9]{29}')
export const valor = matching('\\d{1,10}\\.\\d{2}')
export const cpf = matching('\\d{11}')
export const cnpj = matching('[0-9A-Z]{14}')
export const ispb = matching('[0-9A-Z]{8}')
export const date = Type.String({ format: 'date' })
export const dateTime = Type.String({ format: 'date-time' })
/** Hosts and paths without a scheme, although the document calls them URIs. */
export const location = Type.String({ maxLength: 77, pattern: '^[^\\s:]+\\.[^\\s:]+/[^\\s]+$' })
export const chave = Type.String({ minLength: 1, maxLength: 77 })
export const whole = (minimum?: number, maximum?: number) =>
  Type.Integer({
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  })

/** A person or a company with a name of at most so many characters. */
export const party = (nameMax: number, optional: TProperties = {}) =>
  Type.Union([
    closed({ cpf, nome: upTo(nameMax) }, optional),
    closed({ cnpj, nome: upTo(nameMax) }, optional),
  ])

export const address = { logradouro: upTo(200), cidade: upTo(200), uf: upTo(2), cep: upTo(8) }

export const paginacao = closed({
  paginaAtual: whole(0),
  itensPorPagina: whole(1),
  quantidadeDePaginas: whole(1),
  quantidadeTotalDeItens: whole(0),
})

/** What every list repeats of its question. */
export const listOf = (name: string, item: TSchema, asked: TProperties = {}) =>
  closed({
    parametros: closed({ inicio: dateTime, fim: dateTime, paginacao }, asked),
    [name]: Type.Array(item),
  })

/** The question of a list. */
export const listQuery = (asked: TProperties = {}) =>
  closed(
    { inicio: dateTime, fim: dateTime },
    { ...asked, 'paginacao.paginaAtual': whole(0), 'paginacao.itensPorPagina': whole(1, 1000) },
  )

/** What RFC 7807 and the document make of an error. */
export const problem = closed(
  {
    type: Type.String({ pattern: '^https://\\S+/[A-Za-z]+$' }),
    title: Type.String(),
    status: whole(400, 599),
  },
  {
    detail: Type.String(),
    correlationId: Type.String(),
    violacoes: Type.Array(
      closed({}, { razao: Type.String(), propriedade: Type.String(), valor: Type.String() }),
    ),
  },
)
