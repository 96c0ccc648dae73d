/** Why this node cannot be part of the cluster, in words for the operator. Waiting would not help. */
export class ClusterRefusal extends Error {}
