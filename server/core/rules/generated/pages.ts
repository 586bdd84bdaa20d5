// Written by `npm run gen`.
import calledNotPassed from '../ac1-call/called-not-passed.md';
import debugWithContextFn from '../ac1-call/debug-with-context-fn.md';
import decoratorFormTooNew from '../ac1-call/decorator-form-too-new.md';
import implicitUseReentrant from '../ac1-call/implicit-use-reentrant.md';
import invalidDeterminismCheck from '../ac1-call/invalid-determinism-check.md';
import misalignedArguments from '../ac1-call/misaligned-arguments.md';
import misspeltOption from '../ac1-call/misspelt-option.md';
import moduleCalled from '../ac1-call/module-called.md';
import reentrantIgnoredOption from '../ac1-call/reentrant-ignored-option.md';
import reentrantKeywordArguments from '../ac1-call/reentrant-keyword-arguments.md';
import sequentialOptions from '../ac1-call/sequential-options.md';
import sequentialSegments from '../ac1-call/sequential-segments.md';
import unimportedCheckpointModule from '../ac1-call/unimported-checkpoint-module.md';
import wrapEveryModule from '../ac1-call/wrap-every-module.md';
import wrapperOffloadToCpu from '../ac1-call/wrapper-offload-to-cpu.md';
import wrapperUseReentrant from '../ac1-call/wrapper-use-reentrant.md';
import reentrantAutogradGrad from '../ac2-reentrant/reentrant-autograd-grad.md';
import reentrantDdpUnusedParameters from '../ac2-reentrant/reentrant-ddp-unused-parameters.md';
import reentrantDetachedOutput from '../ac2-reentrant/reentrant-detached-output.md';
import reentrantDoubleBackward from '../ac2-reentrant/reentrant-double-backward.md';
import reentrantFrozenBase from '../ac2-reentrant/reentrant-frozen-base.md';
import reentrantInputsWithoutGrad from '../ac2-reentrant/reentrant-inputs-without-grad.md';
import reentrantNestedTensors from '../ac2-reentrant/reentrant-nested-tensors.md';
import reentrantSelective from '../ac2-reentrant/reentrant-selective.md';
import zero3FrozenNonreentrant from '../ac2-reentrant/zero3-frozen-nonreentrant.md';
import batchnormInRegion from '../ac3-recompute/batchnorm-in-region.md';
import dataDependentRouting from '../ac3-recompute/data-dependent-routing.md';
import dropoutWithoutRng from '../ac3-recompute/dropout-without-rng.md';
import inPlaceOnInput from '../ac3-recompute/in-place-on-input.md';
import kvCacheInRegion from '../ac3-recompute/kv-cache-in-region.md';
import lateBindingClosure from '../ac3-recompute/late-binding-closure.md';
import ownCheckpointWithoutRng from '../ac3-recompute/own-checkpoint-without-rng.md';
import savedTensorsReadTwice from '../ac3-recompute/saved-tensors-read-twice.md';
import sideEffectInRegion from '../ac3-recompute/side-effect-in-region.md';
import unpreservedRandomness from '../ac3-recompute/unpreserved-randomness.md';
import budgetInWrongModule from '../ac4-selective/budget-in-wrong-module.md';
import contextFnCalled from '../ac4-selective/context-fn-called.md';
import opPacketInPolicy from '../ac4-selective/op-packet-in-policy.md';
import policyNotAList from '../ac4-selective/policy-not-a-list.md';
import policySavesTheRest from '../ac4-selective/policy-saves-the-rest.md';
import selectiveBackwardTwice from '../ac4-selective/selective-backward-twice.md';
import sharedContexts from '../ac4-selective/shared-contexts.md';
import statefulPolicy from '../ac4-selective/stateful-policy.md';
import checkpointWithoutGrad from '../ac5-plan/checkpoint-without-grad.md';
import checkpointedInEval from '../ac5-plan/checkpointed-in-eval.md';
import eagerAttention from '../ac5-plan/eager-attention.md';
import halfCheckpointed from '../ac5-plan/half-checkpointed.md';
import ignoredFlag from '../ac5-plan/ignored-flag.md';
import nestedCheckpoint from '../ac5-plan/nested-checkpoint.md';
import singleSegment from '../ac5-plan/single-segment.md';
import compileKeepsRng from '../ac6-frameworks/compile-keeps-rng.md';
import enableAfterWrap from '../ac6-frameworks/enable-after-wrap.md';
import generateWhileCheckpointing from '../ac6-frameworks/generate-while-checkpointing.md';
import hfEnableKeyword from '../ac6-frameworks/hf-enable-keyword.md';
import hfFsdpBoth from '../ac6-frameworks/hf-fsdp-both.md';
import hfImplicitReentrant from '../ac6-frameworks/hf-implicit-reentrant.md';
import hfTrainerResetsKwargs from '../ac6-frameworks/hf-trainer-resets-kwargs.md';
import lightningBothPolicies from '../ac6-frameworks/lightning-both-policies.md';
import megatronRecomputeFlags from '../ac6-frameworks/megatron-recompute-flags.md';
import overrideWithoutKwargs from '../ac6-frameworks/override-without-kwargs.md';
import wrapOrder from '../ac6-frameworks/wrap-order.md';
import accelerateNeedsWrapPolicy from '../ac7-configuration/accelerate-needs-wrap-policy.md';
import deepspeedBlockWithoutEffect from '../ac7-configuration/deepspeed-block-without-effect.md';
import deepspeedMisplacedKey from '../ac7-configuration/deepspeed-misplaced-key.md';
import deepspeedNeedsNumber from '../ac7-configuration/deepspeed-needs-number.md';
import deepspeedNeedsPartition from '../ac7-configuration/deepspeed-needs-partition.md';
import deepspeedPartitionWithoutMp from '../ac7-configuration/deepspeed-partition-without-mp.md';
import llamafactoryAlreadyOn from '../ac7-configuration/llamafactory-already-on.md';
import unusedSuppression from '../ac8-comments/unused-suppression.md';

/** Page of each rule, by the name of the rule. */
export const rulePages: ReadonlyMap<string, string> = new Map([
  ['called-not-passed', calledNotPassed],
  ['debug-with-context-fn', debugWithContextFn],
  ['decorator-form-too-new', decoratorFormTooNew],
  ['implicit-use-reentrant', implicitUseReentrant],
  ['invalid-determinism-check', invalidDeterminismCheck],
  ['misaligned-arguments', misalignedArguments],
  ['misspelt-option', misspeltOption],
  ['module-called', moduleCalled],
  ['reentrant-ignored-option', reentrantIgnoredOption],
  ['reentrant-keyword-arguments', reentrantKeywordArguments],
  ['sequential-options', sequentialOptions],
  ['sequential-segments', sequentialSegments],
  ['unimported-checkpoint-module', unimportedCheckpointModule],
  ['wrap-every-module', wrapEveryModule],
  ['wrapper-offload-to-cpu', wrapperOffloadToCpu],
  ['wrapper-use-reentrant', wrapperUseReentrant],
  ['reentrant-autograd-grad', reentrantAutogradGrad],
  ['reentrant-ddp-unused-parameters', reentrantDdpUnusedParameters],
  ['reentrant-detached-output', reentrantDetachedOutput],
  ['reentrant-double-backward', reentrantDoubleBackward],
  ['reentrant-frozen-base', reentrantFrozenBase],
  ['reentrant-inputs-without-grad', reentrantInputsWithoutGrad],
  ['reentrant-nested-tensors', reentrantNestedTensors],
  ['reentrant-selective', reentrantSelective],
  ['zero3-frozen-nonreentrant', zero3FrozenNonreentrant],
  ['batchnorm-in-region', batchnormInRegion],
  ['data-dependent-routing', dataDependentRouting],
  ['dropout-without-rng', dropoutWithoutRng],
  ['in-place-on-input', inPlaceOnInput],
  ['kv-cache-in-region', kvCacheInRegion],
  ['late-binding-closure', lateBindingClosure],
  ['own-checkpoint-without-rng', ownCheckpointWithoutRng],
  ['saved-tensors-read-twice', savedTensorsReadTwice],
  ['side-effect-in-region', sideEffectInRegion],
  ['unpreserved-randomness', unpreservedRandomness],
  ['budget-in-wrong-module', budgetInWrongModule],
  ['context-fn-called', contextFnCalled],
  ['op-packet-in-policy', opPacketInPolicy],
  ['policy-not-a-list', policyNotAList],
  ['policy-saves-the-rest', policySavesTheRest],
  ['selective-backward-twice', selectiveBackwardTwice],
  ['shared-contexts', sharedContexts],
  ['stateful-policy', statefulPolicy],
  ['checkpoint-without-grad', checkpointWithoutGrad],
  ['checkpointed-in-eval', checkpointedInEval],
  ['eager-attention', eagerAttention],
  ['half-checkpointed', halfCheckpointed],
  ['ignored-flag', ignoredFlag],
  ['nested-checkpoint', nestedCheckpoint],
  ['single-segment', singleSegment],
  ['compile-keeps-rng', compileKeepsRng],
  ['enable-after-wrap', enableAfterWrap],
  ['generate-while-checkpointing', generateWhileCheckpointing],
  ['hf-enable-keyword', hfEnableKeyword],
  ['hf-fsdp-both', hfFsdpBoth],
  ['hf-implicit-reentrant', hfImplicitReentrant],
  ['hf-trainer-resets-kwargs', hfTrainerResetsKwargs],
  ['lightning-both-policies', lightningBothPolicies],
  ['megatron-recompute-flags', megatronRecomputeFlags],
  ['override-without-kwargs', overrideWithoutKwargs],
  ['wrap-order', wrapOrder],
  ['accelerate-needs-wrap-policy', accelerateNeedsWrapPolicy],
  ['deepspeed-block-without-effect', deepspeedBlockWithoutEffect],
  ['deepspeed-misplaced-key', deepspeedMisplacedKey],
  ['deepspeed-needs-number', deepspeedNeedsNumber],
  ['deepspeed-needs-partition', deepspeedNeedsPartition],
  ['deepspeed-partition-without-mp', deepspeedPartitionWithoutMp],
  ['llamafactory-already-on', llamafactoryAlreadyOn],
  ['unused-suppression', unusedSuppression],
]);
