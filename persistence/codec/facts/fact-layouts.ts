import type { ActorFacts } from '../../../engine/kernel/registry.ts'
import type { Fields } from '../layout.ts'

/**
 * The layouts of one kind of actor: for each fact type a tag and its fields. A type keeps its tag for ever, and tags
 * are not reused. A type without a layout does not compile, nor does a layout without its type.
 */
export type FactLayouts<Kind extends keyof ActorFacts> = {
  readonly [Type in ActorFacts[Kind]['type']]: readonly [
    tag: number,
    fields: Fields<Omit<FactOf<ActorFacts[Kind], Type>, 'actor' | 'type'>>,
  ]
}

/** The facts with this type. Types with the same members share one declaration, so `Extract` would not find them. */
type FactOf<Fact extends { readonly type: string }, Type> = Exclude<
  Fact,
  { readonly type: Exclude<Fact['type'], Type> }
>
