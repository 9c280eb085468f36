// Everything that Swift cannot import from libav's headers, and every difference between the supported versions
// (FFmpeg 5.1 to 9).
#pragma once

#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

// Macros with casts or function calls are not imported.
static const int64_t livephoto_no_pts __attribute__((swift_name("AVNoTimestamp"))) = AV_NOPTS_VALUE;
static const int livephoto_eagain __attribute__((swift_name("AVErrorAgain"))) = AVERROR(EAGAIN);
static const int livephoto_enomem __attribute__((swift_name("AVErrorNoMemory"))) = AVERROR(ENOMEM);
static const int livephoto_external __attribute__((swift_name("AVErrorExternal"))) = AVERROR_EXTERNAL;
static const int livephoto_einval __attribute__((swift_name("AVErrorInvalidArgument"))) = AVERROR(EINVAL);
static const int livephoto_eof __attribute__((swift_name("AVErrorEndOfFile"))) = AVERROR_EOF;
static const int livephoto_invalid __attribute__((swift_name("AVErrorInvalidData"))) = AVERROR_INVALIDDATA;

// FFmpeg 6.0 renamed pkt_duration to duration; 7.0 removed the old name.
static inline int64_t livephoto_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

// FFmpeg 6.1 moved interlaced_frame into the flags; 8.0 removed the field.
static inline int livephoto_frame_is_interlaced(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame != 0;
#endif
}

// FFmpeg 6.1 moved key_frame into the flags; 8.0 removed the field.
static inline int livephoto_frame_is_key(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_KEY
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame != 0;
#endif
}

// FFmpeg 6.1 moved side data from the stream to the codec parameters; 8.0 removed it from the stream. NULL if there is
// none, or fewer bytes than `least`.
static inline const void *livephoto_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t least) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
    const AVPacketSideData *side = stream->codecpar->coded_side_data;
    const int count = stream->codecpar->nb_coded_side_data;
#else
    const AVPacketSideData *side = stream->side_data;
    const int count = stream->nb_side_data;
#endif
    for (int i = 0; i < count; i++)
        if (side[i].type == type) return side[i].size >= least ? side[i].data : NULL;
    return NULL;
}

// Nine numbers or NULL.
static inline const int32_t *livephoto_display_matrix(const AVStream *stream) {
    return (const int32_t *)livephoto_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
}

// 0 for a stream that is not Dolby Vision.
static inline int livephoto_dolby_vision_profile(const AVStream *stream) {
    const AVDOVIDecoderConfigurationRecord *record = (const AVDOVIDecoderConfigurationRecord *)livephoto_side_data(
        stream, AV_PKT_DATA_DOVI_CONF, sizeof(AVDOVIDecoderConfigurationRecord));
    return record ? record->dv_profile : 0;
}

// Since FFmpeg 7.0, buffersrc must know the color space and range before the first frame.
static inline void livephoto_set_source_color(AVBufferSrcParameters *parameters, const AVFrame *frame) {
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(9, 16, 100)
    parameters->color_space = frame->colorspace;
    parameters->color_range = frame->color_range;
#else
    (void)parameters;
    (void)frame;
#endif
}

// An AVIOContext for writing. FFmpeg 7.0 made the bytes const.
static inline AVIOContext *livephoto_alloc_sink(
    unsigned char *buffer, int size, void *opaque, int (*write)(void *opaque, const uint8_t *bytes, int count),
    int64_t (*seek)(void *opaque, int64_t offset, int whence)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
    return avio_alloc_context(buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

// FF_PROFILE_* became AV_PROFILE_* in FFmpeg 6.1; 8.0 removed the old names.
#ifdef AV_PROFILE_AAC_LOW
static const int livephoto_profile_aac_low __attribute__((swift_name("AVProfileAACLow"))) = AV_PROFILE_AAC_LOW;
#else
static const int livephoto_profile_aac_low __attribute__((swift_name("AVProfileAACLow"))) = FF_PROFILE_AAC_LOW;
#endif

// The macros shift a signed 1 in some versions, an unsigned one in others.
static const int livephoto_codec_flag_global_header __attribute__((swift_name("AVCodecFlagGlobalHeader"))) =
    (int)AV_CODEC_FLAG_GLOBAL_HEADER;
static const int livephoto_codec_flag_closed_gop __attribute__((swift_name("AVCodecFlagClosedGOP"))) =
    (int)AV_CODEC_FLAG_CLOSED_GOP;
static const int livephoto_codec_flag_bitexact __attribute__((swift_name("AVCodecFlagBitExact"))) =
    (int)AV_CODEC_FLAG_BITEXACT;
static const int livephoto_codec_flag_qscale __attribute__((swift_name("AVCodecFlagQScale"))) =
    (int)AV_CODEC_FLAG_QSCALE;
