import type { PageName, PagePath } from '../core/router.ts'

/** The page of an object by its id; null where it has none. */
export const pageOf = (id: string): PagePath | null => {
  const prefix = id.slice(0, 4)
  const page = pagesByPrefix[prefix]
  return page === undefined ? (listsByPrefix[prefix] ?? null) : `${page}/${id}`
}

const pagesByPrefix: Readonly<Record<string, PageName>> = {
  txn_: 'transacoes',
  cus_: 'clientes',
  sub_: 'assinaturas',
  inv_: 'faturas',
  pln_: 'planos',
  dlv_: 'entregas',
  whk_: 'webhooks',
  key_: 'chaves',
  tkt_: 'suporte',
  trf_: 'transferencias',
  ben_: 'favorecidos',
  cnv_: 'conversoes',
  wdr_: 'saques',
  lnk_: 'links',
  cks_: 'sessoes',
  con_: 'conexoes',
  ssp_: 'suspenso',
  rcn_: 'conciliacao',
}

/** Objects that have a list but no page of their own. */
const listsByPrefix: Readonly<Record<string, PagePath>> = {
  per_: 'equipe',
  chg_: 'limites',
  cdp_: 'cripto/depositos',
  wal_: 'carteiras',
  mbr_: 'equipe',
  ivt_: 'equipe',
  rcp_: 'divisao',
  spr_: 'divisao',
  spt_: 'divisao/repasses',
  cpn_: 'cupons',
}
