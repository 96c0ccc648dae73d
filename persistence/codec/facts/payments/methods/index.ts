import type { Means } from '../../../../../engine/payments/transaction/transaction.ts'
import { assert } from '../../../../../engine/shared/assert.ts'
import type { Method, Methods } from '../../../../../engine/shared/method.ts'
import { type Layout, number } from '../../../layout.ts'
import type { LayoutsOf } from '../../fact-layouts.ts'
import { boletoLayouts } from './boleto.ts'
import { cardLayouts } from './card.ts'
import { cryptoLayouts } from './crypto.ts'
import type { MethodLayouts } from './method-layouts.ts'
import { pixLayouts } from './pix.ts'

/** How the charges of each method are stored. A default for old bytes belongs to its method alone. */
const methods = {
  PIX: pixLayouts,
  BOLETO: boletoLayouts,
  CREDIT_CARD: cardLayouts,
  DEBIT_CARD: cardLayouts,
  CRYPTO: cryptoLayouts,
} satisfies { readonly [Name in Method]: MethodLayouts<Name> }

const layouts = [...new Set(Object.values(methods))]

/** The facts of all methods. */
export const methodFacts: MethodFacts = Object.assign({}, ...layouts.map(({ facts }) => facts))

const means = layouts.map((layout) => layout.means) as readonly MethodLayouts<Method>['means'][]
const byTag: (Layout<Means> | undefined)[] = []
for (const { tag, layout } of means) {
  assert(byTag[tag] === undefined, `means have tag ${tag} once`)
  byTag[tag] = layout
}
const tagLayout = number()

type MethodFacts = LayoutsOf<Methods[Method]['facts']>

/** How a charge is paid: the tag of its method, and the method's own layout. */
export const meansLayout: Layout<Means> = {
  write: (value) => {
    const own = means.find(({ isOf }) => isOf(value))
    assert(own !== undefined, 'the means of a charge are those of a method')
    tagLayout.write(own.tag)
    own.layout.write(value)
  },
  read: () => {
    const layout = byTag[tagLayout.read()]
    assert(layout !== undefined, 'stored means have a known tag')
    return layout.read()
  },
}
