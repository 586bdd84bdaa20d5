import type { ModelSettings } from '../budget/account.ts';

/** A model by its public name: the class that is built, and the arguments its maker gives it. */
export interface VisionModel {
  /** Name of the configuration class, by which `configClass` finds it. */
  readonly configClass: string;
  readonly arguments: ModelSettings;
}

/**
 * What `timm.create_model(name)` builds; the hub's prefix (`timm/`, `hf_hub:timm/`) may stand before it. A tag of pretrained
 * weights (`.augreg_in21k_ft_in1k`) changes one size only, the number of classes, which is ImageNet's 1000 for certain where
 * the tag ends in `in1k`: the others have an account if the call gives `num_classes` itself. Undefined for all the rest.
 */
export function timmModel(name: string, classesAreGiven = false): VisionModel | undefined {
  const [model = '', tag] = name
    .replace(/^hf[_-]hub:/, '')
    .replace(/^timm\//, '')
    .split('.', 2);
  const classesAreKnown = classesAreGiven || tag === undefined || tag.endsWith('in1k');
  return classesAreKnown ? timmModels[model] : undefined;
}

/** What the constructor `torchvision.models.<name>` builds; also the name given to `torchvision.models.get_model`. */
export const torchvisionModel = (name: string): VisionModel | undefined => resnets[name.toLowerCase()];

const resnet = (block: string, layers: readonly number[], more: ModelSettings = {}): VisionModel => ({
  configClass: 'ResNet',
  arguments: { block, layers, ...more },
});

const resnets: Readonly<Record<string, VisionModel>> = {
  resnet18: resnet('BasicBlock', [2, 2, 2, 2]),
  resnet34: resnet('BasicBlock', [3, 4, 6, 3]),
  resnet50: resnet('Bottleneck', [3, 4, 6, 3]),
  resnet101: resnet('Bottleneck', [3, 4, 23, 3]),
  resnet152: resnet('Bottleneck', [3, 8, 36, 3]),
  resnext50_32x4d: resnet('Bottleneck', [3, 4, 6, 3], { groups: 32, width_per_group: 4 }),
  resnext101_32x8d: resnet('Bottleneck', [3, 4, 23, 3], { groups: 32, width_per_group: 8 }),
  resnext101_64x4d: resnet('Bottleneck', [3, 4, 23, 3], { groups: 64, width_per_group: 4 }),
  wide_resnet50_2: resnet('Bottleneck', [3, 4, 6, 3], { width_per_group: 128 }),
  wide_resnet101_2: resnet('Bottleneck', [3, 4, 23, 3], { width_per_group: 128 }),
};

/** Where the weights that timm takes by default come without a classifier, so does the model, unless classes are given. */
const withoutClasses = ({ configClass, arguments: sizes }: VisionModel): VisionModel => ({
  configClass,
  arguments: { ...sizes, num_classes: 0 },
});

const vit = (embed_dim: number, depth: number, num_heads: number, patch_size: number, img_size = 224): VisionModel => ({
  configClass: 'VisionTransformer',
  arguments: { embed_dim, depth, num_heads, patch_size, img_size },
});

const convnext = (depths: readonly number[], dims: readonly number[]): VisionModel => ({
  configClass: 'ConvNeXt',
  arguments: { depths, dims },
});

const swin = (embed_dim: number, depths: readonly number[], num_heads: readonly number[], side = 224): VisionModel => ({
  configClass: 'SwinTransformer',
  arguments: { embed_dim, depths, num_heads, img_size: side, window_size: side / 32 },
});

const timmModels: Readonly<Record<string, VisionModel>> = {
  resnet18: resnet('BasicBlock', [2, 2, 2, 2]),
  resnet34: resnet('BasicBlock', [3, 4, 6, 3]),
  resnet50: resnet('Bottleneck', [3, 4, 6, 3]),
  resnet101: resnet('Bottleneck', [3, 4, 23, 3]),
  resnet152: resnet('Bottleneck', [3, 8, 36, 3]),
  vit_tiny_patch16_224: vit(192, 12, 3, 16),
  vit_tiny_patch16_384: vit(192, 12, 3, 16, 384),
  vit_small_patch32_224: vit(384, 12, 6, 32),
  vit_small_patch32_384: vit(384, 12, 6, 32, 384),
  vit_small_patch16_224: vit(384, 12, 6, 16),
  vit_small_patch16_384: vit(384, 12, 6, 16, 384),
  vit_base_patch32_224: vit(768, 12, 12, 32),
  vit_base_patch32_384: vit(768, 12, 12, 32, 384),
  vit_base_patch16_224: vit(768, 12, 12, 16),
  vit_base_patch16_384: vit(768, 12, 12, 16, 384),
  vit_base_patch8_224: vit(768, 12, 12, 8),
  vit_large_patch32_224: withoutClasses(vit(1024, 24, 16, 32)),
  vit_large_patch32_384: vit(1024, 24, 16, 32, 384),
  vit_large_patch16_224: vit(1024, 24, 16, 16),
  vit_large_patch16_384: vit(1024, 24, 16, 16, 384),
  vit_large_patch14_224: vit(1024, 24, 16, 14),
  vit_huge_patch14_224: withoutClasses(vit(1280, 32, 16, 14)),
  deit_tiny_patch16_224: vit(192, 12, 3, 16),
  deit_small_patch16_224: vit(384, 12, 6, 16),
  deit_base_patch16_224: vit(768, 12, 12, 16),
  deit_base_patch16_384: vit(768, 12, 12, 16, 384),
  convnext_tiny: convnext([3, 3, 9, 3], [96, 192, 384, 768]),
  convnext_small: convnext([3, 3, 27, 3], [96, 192, 384, 768]),
  convnext_base: convnext([3, 3, 27, 3], [128, 256, 512, 1024]),
  convnext_large: convnext([3, 3, 27, 3], [192, 384, 768, 1536]),
  convnext_xlarge: convnext([3, 3, 27, 3], [256, 512, 1024, 2048]),
  swin_tiny_patch4_window7_224: swin(96, [2, 2, 6, 2], [3, 6, 12, 24]),
  swin_small_patch4_window7_224: swin(96, [2, 2, 18, 2], [3, 6, 12, 24]),
  swin_base_patch4_window7_224: swin(128, [2, 2, 18, 2], [4, 8, 16, 32]),
  swin_base_patch4_window12_384: swin(128, [2, 2, 18, 2], [4, 8, 16, 32], 384),
  swin_large_patch4_window7_224: swin(192, [2, 2, 18, 2], [6, 12, 24, 48]),
  swin_large_patch4_window12_384: swin(192, [2, 2, 18, 2], [6, 12, 24, 48], 384),
};
