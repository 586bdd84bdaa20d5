// Written by `npm run gen`.
import type { Rule } from '../../lint/rule.ts';
import calledNotPassedPage from '../ac1-call/called-not-passed.md';
import { rule as calledNotPassed } from '../ac1-call/called-not-passed.ts';
import debugWithContextFnPage from '../ac1-call/debug-with-context-fn.md';
import { rule as debugWithContextFn } from '../ac1-call/debug-with-context-fn.ts';
import decoratorFormTooNewPage from '../ac1-call/decorator-form-too-new.md';
import { rule as decoratorFormTooNew } from '../ac1-call/decorator-form-too-new.ts';
import implicitUseReentrantPage from '../ac1-call/implicit-use-reentrant.md';
import { rule as implicitUseReentrant } from '../ac1-call/implicit-use-reentrant.ts';
import invalidDeterminismCheckPage from '../ac1-call/invalid-determinism-check.md';
import { rule as invalidDeterminismCheck } from '../ac1-call/invalid-determinism-check.ts';
import misalignedArgumentsPage from '../ac1-call/misaligned-arguments.md';
import { rule as misalignedArguments } from '../ac1-call/misaligned-arguments.ts';
import misspeltOptionPage from '../ac1-call/misspelt-option.md';
import { rule as misspeltOption } from '../ac1-call/misspelt-option.ts';
import moduleCalledPage from '../ac1-call/module-called.md';
import { rule as moduleCalled } from '../ac1-call/module-called.ts';
import reentrantIgnoredOptionPage from '../ac1-call/reentrant-ignored-option.md';
import { rule as reentrantIgnoredOption } from '../ac1-call/reentrant-ignored-option.ts';
import reentrantKeywordArgumentsPage from '../ac1-call/reentrant-keyword-arguments.md';
import { rule as reentrantKeywordArguments } from '../ac1-call/reentrant-keyword-arguments.ts';
import sequentialOptionsPage from '../ac1-call/sequential-options.md';
import { rule as sequentialOptions } from '../ac1-call/sequential-options.ts';
import sequentialSegmentsPage from '../ac1-call/sequential-segments.md';
import { rule as sequentialSegments } from '../ac1-call/sequential-segments.ts';
import unimportedCheckpointModulePage from '../ac1-call/unimported-checkpoint-module.md';
import { rule as unimportedCheckpointModule } from '../ac1-call/unimported-checkpoint-module.ts';
import wrapEveryModulePage from '../ac1-call/wrap-every-module.md';
import { rule as wrapEveryModule } from '../ac1-call/wrap-every-module.ts';
import wrapperOffloadToCpuPage from '../ac1-call/wrapper-offload-to-cpu.md';
import { rule as wrapperOffloadToCpu } from '../ac1-call/wrapper-offload-to-cpu.ts';
import wrapperUseReentrantPage from '../ac1-call/wrapper-use-reentrant.md';
import { rule as wrapperUseReentrant } from '../ac1-call/wrapper-use-reentrant.ts';
import reentrantAutogradGradPage from '../ac2-reentrant/reentrant-autograd-grad.md';
import { rule as reentrantAutogradGrad } from '../ac2-reentrant/reentrant-autograd-grad.ts';
import reentrantDdpUnusedParametersPage from '../ac2-reentrant/reentrant-ddp-unused-parameters.md';
import { rule as reentrantDdpUnusedParameters } from '../ac2-reentrant/reentrant-ddp-unused-parameters.ts';
import reentrantDetachedOutputPage from '../ac2-reentrant/reentrant-detached-output.md';
import { rule as reentrantDetachedOutput } from '../ac2-reentrant/reentrant-detached-output.ts';
import reentrantDoubleBackwardPage from '../ac2-reentrant/reentrant-double-backward.md';
import { rule as reentrantDoubleBackward } from '../ac2-reentrant/reentrant-double-backward.ts';
import reentrantFrozenBasePage from '../ac2-reentrant/reentrant-frozen-base.md';
import { rule as reentrantFrozenBase } from '../ac2-reentrant/reentrant-frozen-base.ts';
import reentrantInputsWithoutGradPage from '../ac2-reentrant/reentrant-inputs-without-grad.md';
import { rule as reentrantInputsWithoutGrad } from '../ac2-reentrant/reentrant-inputs-without-grad.ts';
import reentrantNestedTensorsPage from '../ac2-reentrant/reentrant-nested-tensors.md';
import { rule as reentrantNestedTensors } from '../ac2-reentrant/reentrant-nested-tensors.ts';
import reentrantSelectivePage from '../ac2-reentrant/reentrant-selective.md';
import { rule as reentrantSelective } from '../ac2-reentrant/reentrant-selective.ts';
import zero3FrozenNonreentrantPage from '../ac2-reentrant/zero3-frozen-nonreentrant.md';
import { rule as zero3FrozenNonreentrant } from '../ac2-reentrant/zero3-frozen-nonreentrant.ts';
import batchnormInRegionPage from '../ac3-recompute/batchnorm-in-region.md';
import { rule as batchnormInRegion } from '../ac3-recompute/batchnorm-in-region.ts';
import dataDependentRoutingPage from '../ac3-recompute/data-dependent-routing.md';
import { rule as dataDependentRouting } from '../ac3-recompute/data-dependent-routing.ts';
import dropoutWithoutRngPage from '../ac3-recompute/dropout-without-rng.md';
import { rule as dropoutWithoutRng } from '../ac3-recompute/dropout-without-rng.ts';
import inPlaceOnInputPage from '../ac3-recompute/in-place-on-input.md';
import { rule as inPlaceOnInput } from '../ac3-recompute/in-place-on-input.ts';
import kvCacheInRegionPage from '../ac3-recompute/kv-cache-in-region.md';
import { rule as kvCacheInRegion } from '../ac3-recompute/kv-cache-in-region.ts';
import lateBindingClosurePage from '../ac3-recompute/late-binding-closure.md';
import { rule as lateBindingClosure } from '../ac3-recompute/late-binding-closure.ts';
import ownCheckpointWithoutRngPage from '../ac3-recompute/own-checkpoint-without-rng.md';
import { rule as ownCheckpointWithoutRng } from '../ac3-recompute/own-checkpoint-without-rng.ts';
import savedTensorsReadTwicePage from '../ac3-recompute/saved-tensors-read-twice.md';
import { rule as savedTensorsReadTwice } from '../ac3-recompute/saved-tensors-read-twice.ts';
import sideEffectInRegionPage from '../ac3-recompute/side-effect-in-region.md';
import { rule as sideEffectInRegion } from '../ac3-recompute/side-effect-in-region.ts';
import unpreservedRandomnessPage from '../ac3-recompute/unpreserved-randomness.md';
import { rule as unpreservedRandomness } from '../ac3-recompute/unpreserved-randomness.ts';
import budgetInWrongModulePage from '../ac4-selective/budget-in-wrong-module.md';
import { rule as budgetInWrongModule } from '../ac4-selective/budget-in-wrong-module.ts';
import contextFnCalledPage from '../ac4-selective/context-fn-called.md';
import { rule as contextFnCalled } from '../ac4-selective/context-fn-called.ts';
import opPacketInPolicyPage from '../ac4-selective/op-packet-in-policy.md';
import { rule as opPacketInPolicy } from '../ac4-selective/op-packet-in-policy.ts';
import policyNotAListPage from '../ac4-selective/policy-not-a-list.md';
import { rule as policyNotAList } from '../ac4-selective/policy-not-a-list.ts';
import policySavesTheRestPage from '../ac4-selective/policy-saves-the-rest.md';
import { rule as policySavesTheRest } from '../ac4-selective/policy-saves-the-rest.ts';
import selectiveBackwardTwicePage from '../ac4-selective/selective-backward-twice.md';
import { rule as selectiveBackwardTwice } from '../ac4-selective/selective-backward-twice.ts';
import sharedContextsPage from '../ac4-selective/shared-contexts.md';
import { rule as sharedContexts } from '../ac4-selective/shared-contexts.ts';
import statefulPolicyPage from '../ac4-selective/stateful-policy.md';
import { rule as statefulPolicy } from '../ac4-selective/stateful-policy.ts';
import checkpointWithoutGradPage from '../ac5-plan/checkpoint-without-grad.md';
import { rule as checkpointWithoutGrad } from '../ac5-plan/checkpoint-without-grad.ts';
import checkpointedInEvalPage from '../ac5-plan/checkpointed-in-eval.md';
import { rule as checkpointedInEval } from '../ac5-plan/checkpointed-in-eval.ts';
import eagerAttentionPage from '../ac5-plan/eager-attention.md';
import { rule as eagerAttention } from '../ac5-plan/eager-attention.ts';
import halfCheckpointedPage from '../ac5-plan/half-checkpointed.md';
import { rule as halfCheckpointed } from '../ac5-plan/half-checkpointed.ts';
import ignoredFlagPage from '../ac5-plan/ignored-flag.md';
import { rule as ignoredFlag } from '../ac5-plan/ignored-flag.ts';
import nestedCheckpointPage from '../ac5-plan/nested-checkpoint.md';
import { rule as nestedCheckpoint } from '../ac5-plan/nested-checkpoint.ts';
import singleSegmentPage from '../ac5-plan/single-segment.md';
import { rule as singleSegment } from '../ac5-plan/single-segment.ts';
import compileKeepsRngPage from '../ac6-frameworks/compile-keeps-rng.md';
import { rule as compileKeepsRng } from '../ac6-frameworks/compile-keeps-rng.ts';
import enableAfterWrapPage from '../ac6-frameworks/enable-after-wrap.md';
import { rule as enableAfterWrap } from '../ac6-frameworks/enable-after-wrap.ts';
import hfEnableKeywordPage from '../ac6-frameworks/hf-enable-keyword.md';
import { rule as hfEnableKeyword } from '../ac6-frameworks/hf-enable-keyword.ts';
import hfFsdpBothPage from '../ac6-frameworks/hf-fsdp-both.md';
import { rule as hfFsdpBoth } from '../ac6-frameworks/hf-fsdp-both.ts';
import hfImplicitReentrantPage from '../ac6-frameworks/hf-implicit-reentrant.md';
import { rule as hfImplicitReentrant } from '../ac6-frameworks/hf-implicit-reentrant.ts';
import hfTrainerResetsKwargsPage from '../ac6-frameworks/hf-trainer-resets-kwargs.md';
import { rule as hfTrainerResetsKwargs } from '../ac6-frameworks/hf-trainer-resets-kwargs.ts';
import lightningBothPoliciesPage from '../ac6-frameworks/lightning-both-policies.md';
import { rule as lightningBothPolicies } from '../ac6-frameworks/lightning-both-policies.ts';
import megatronRecomputeFlagsPage from '../ac6-frameworks/megatron-recompute-flags.md';
import { rule as megatronRecomputeFlags } from '../ac6-frameworks/megatron-recompute-flags.ts';
import overrideWithoutKwargsPage from '../ac6-frameworks/override-without-kwargs.md';
import { rule as overrideWithoutKwargs } from '../ac6-frameworks/override-without-kwargs.ts';
import wrapOrderPage from '../ac6-frameworks/wrap-order.md';
import { rule as wrapOrder } from '../ac6-frameworks/wrap-order.ts';
import accelerateNeedsWrapPolicyPage from '../ac7-configuration/accelerate-needs-wrap-policy.md';
import { rule as accelerateNeedsWrapPolicy } from '../ac7-configuration/accelerate-needs-wrap-policy.ts';
import deepspeedBlockWithoutEffectPage from '../ac7-configuration/deepspeed-block-without-effect.md';
import { rule as deepspeedBlockWithoutEffect } from '../ac7-configuration/deepspeed-block-without-effect.ts';
import deepspeedMisplacedKeyPage from '../ac7-configuration/deepspeed-misplaced-key.md';
import { rule as deepspeedMisplacedKey } from '../ac7-configuration/deepspeed-misplaced-key.ts';
import deepspeedNeedsNumberPage from '../ac7-configuration/deepspeed-needs-number.md';
import { rule as deepspeedNeedsNumber } from '../ac7-configuration/deepspeed-needs-number.ts';
import deepspeedNeedsPartitionPage from '../ac7-configuration/deepspeed-needs-partition.md';
import { rule as deepspeedNeedsPartition } from '../ac7-configuration/deepspeed-needs-partition.ts';
import deepspeedPartitionWithoutMpPage from '../ac7-configuration/deepspeed-partition-without-mp.md';
import { rule as deepspeedPartitionWithoutMp } from '../ac7-configuration/deepspeed-partition-without-mp.ts';
import llamafactoryAlreadyOnPage from '../ac7-configuration/llamafactory-already-on.md';
import { rule as llamafactoryAlreadyOn } from '../ac7-configuration/llamafactory-already-on.ts';

export const allRules: readonly Rule[] = [calledNotPassed, debugWithContextFn, decoratorFormTooNew, implicitUseReentrant, invalidDeterminismCheck, misalignedArguments, misspeltOption, moduleCalled, reentrantIgnoredOption, reentrantKeywordArguments, sequentialOptions, sequentialSegments, unimportedCheckpointModule, wrapEveryModule, wrapperOffloadToCpu, wrapperUseReentrant, reentrantAutogradGrad, reentrantDdpUnusedParameters, reentrantDetachedOutput, reentrantDoubleBackward, reentrantFrozenBase, reentrantInputsWithoutGrad, reentrantNestedTensors, reentrantSelective, zero3FrozenNonreentrant, batchnormInRegion, dataDependentRouting, dropoutWithoutRng, inPlaceOnInput, kvCacheInRegion, lateBindingClosure, ownCheckpointWithoutRng, savedTensorsReadTwice, sideEffectInRegion, unpreservedRandomness, budgetInWrongModule, contextFnCalled, opPacketInPolicy, policyNotAList, policySavesTheRest, selectiveBackwardTwice, sharedContexts, statefulPolicy, checkpointWithoutGrad, checkpointedInEval, eagerAttention, halfCheckpointed, ignoredFlag, nestedCheckpoint, singleSegment, compileKeepsRng, enableAfterWrap, hfEnableKeyword, hfFsdpBoth, hfImplicitReentrant, hfTrainerResetsKwargs, lightningBothPolicies, megatronRecomputeFlags, overrideWithoutKwargs, wrapOrder, accelerateNeedsWrapPolicy, deepspeedBlockWithoutEffect, deepspeedMisplacedKey, deepspeedNeedsNumber, deepspeedNeedsPartition, deepspeedPartitionWithoutMp, llamafactoryAlreadyOn];

/** Page of each rule, by its code. */
export const rulePages: ReadonlyMap<string, string> = new Map([
  [calledNotPassed.code, calledNotPassedPage],
  [debugWithContextFn.code, debugWithContextFnPage],
  [decoratorFormTooNew.code, decoratorFormTooNewPage],
  [implicitUseReentrant.code, implicitUseReentrantPage],
  [invalidDeterminismCheck.code, invalidDeterminismCheckPage],
  [misalignedArguments.code, misalignedArgumentsPage],
  [misspeltOption.code, misspeltOptionPage],
  [moduleCalled.code, moduleCalledPage],
  [reentrantIgnoredOption.code, reentrantIgnoredOptionPage],
  [reentrantKeywordArguments.code, reentrantKeywordArgumentsPage],
  [sequentialOptions.code, sequentialOptionsPage],
  [sequentialSegments.code, sequentialSegmentsPage],
  [unimportedCheckpointModule.code, unimportedCheckpointModulePage],
  [wrapEveryModule.code, wrapEveryModulePage],
  [wrapperOffloadToCpu.code, wrapperOffloadToCpuPage],
  [wrapperUseReentrant.code, wrapperUseReentrantPage],
  [reentrantAutogradGrad.code, reentrantAutogradGradPage],
  [reentrantDdpUnusedParameters.code, reentrantDdpUnusedParametersPage],
  [reentrantDetachedOutput.code, reentrantDetachedOutputPage],
  [reentrantDoubleBackward.code, reentrantDoubleBackwardPage],
  [reentrantFrozenBase.code, reentrantFrozenBasePage],
  [reentrantInputsWithoutGrad.code, reentrantInputsWithoutGradPage],
  [reentrantNestedTensors.code, reentrantNestedTensorsPage],
  [reentrantSelective.code, reentrantSelectivePage],
  [zero3FrozenNonreentrant.code, zero3FrozenNonreentrantPage],
  [batchnormInRegion.code, batchnormInRegionPage],
  [dataDependentRouting.code, dataDependentRoutingPage],
  [dropoutWithoutRng.code, dropoutWithoutRngPage],
  [inPlaceOnInput.code, inPlaceOnInputPage],
  [kvCacheInRegion.code, kvCacheInRegionPage],
  [lateBindingClosure.code, lateBindingClosurePage],
  [ownCheckpointWithoutRng.code, ownCheckpointWithoutRngPage],
  [savedTensorsReadTwice.code, savedTensorsReadTwicePage],
  [sideEffectInRegion.code, sideEffectInRegionPage],
  [unpreservedRandomness.code, unpreservedRandomnessPage],
  [budgetInWrongModule.code, budgetInWrongModulePage],
  [contextFnCalled.code, contextFnCalledPage],
  [opPacketInPolicy.code, opPacketInPolicyPage],
  [policyNotAList.code, policyNotAListPage],
  [policySavesTheRest.code, policySavesTheRestPage],
  [selectiveBackwardTwice.code, selectiveBackwardTwicePage],
  [sharedContexts.code, sharedContextsPage],
  [statefulPolicy.code, statefulPolicyPage],
  [checkpointWithoutGrad.code, checkpointWithoutGradPage],
  [checkpointedInEval.code, checkpointedInEvalPage],
  [eagerAttention.code, eagerAttentionPage],
  [halfCheckpointed.code, halfCheckpointedPage],
  [ignoredFlag.code, ignoredFlagPage],
  [nestedCheckpoint.code, nestedCheckpointPage],
  [singleSegment.code, singleSegmentPage],
  [compileKeepsRng.code, compileKeepsRngPage],
  [enableAfterWrap.code, enableAfterWrapPage],
  [hfEnableKeyword.code, hfEnableKeywordPage],
  [hfFsdpBoth.code, hfFsdpBothPage],
  [hfImplicitReentrant.code, hfImplicitReentrantPage],
  [hfTrainerResetsKwargs.code, hfTrainerResetsKwargsPage],
  [lightningBothPolicies.code, lightningBothPoliciesPage],
  [megatronRecomputeFlags.code, megatronRecomputeFlagsPage],
  [overrideWithoutKwargs.code, overrideWithoutKwargsPage],
  [wrapOrder.code, wrapOrderPage],
  [accelerateNeedsWrapPolicy.code, accelerateNeedsWrapPolicyPage],
  [deepspeedBlockWithoutEffect.code, deepspeedBlockWithoutEffectPage],
  [deepspeedMisplacedKey.code, deepspeedMisplacedKeyPage],
  [deepspeedNeedsNumber.code, deepspeedNeedsNumberPage],
  [deepspeedNeedsPartition.code, deepspeedNeedsPartitionPage],
  [deepspeedPartitionWithoutMp.code, deepspeedPartitionWithoutMpPage],
  [llamafactoryAlreadyOn.code, llamafactoryAlreadyOnPage],
]);
